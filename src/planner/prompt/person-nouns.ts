// Which nouns are for persons. A word in, yes or no out.

const NOUN =
  /^(?:member|player|worker|volunteer|juror|arbiter|person|user|customer|client|guest|patient|student|teacher|employee|driver|author|artist|doctor|nurse|contact|coach|pilot|skipper|reader|camper|singer|musician|dancer|swimmer|runner|rider|sailor|climber|walker|skater|skier|racer|trainer|instructor|tutor|lecturer|carer|helper|scout|cadet|pupil|tenant|resident|attendee|participant|delegate|visitor|parent|child|kid|actor|performer|gardener|curator|warden|guide|cook|chef|waiter|clerk|officer|apprentice|trainee|intern|colleague|referee|umpire|mentor|borrower|crewmember|teammate|cyclist|artisan|technician|mechanic|engineer|lifeguard|ranger|steward)$/;

/** Whether a noun is one for persons. */
export const isPersonNoun = (noun: string): boolean => NOUN.test(noun);
