// Prompts that ask for what no application has, said with the words of one: knowledge, advice, tasks for hands, translations, texts,
// what is nearby, jokes, sums, news, weather, code, messages to people, and the way. And beside them requests that look like them.
import { expect } from "chai";
import { askOf, createApplication } from "../samples/collections.js";

const S = { type: "string" };
const I = { type: "integer" };
const N = { type: "number" };

const GARAGE = createApplication({
  mechanics: {
    key: "mechanic_id",
    keyType: I,
    rows: [
      { mechanic_id: 1, name: "Otto Lund", hourly_rate: 60, town: "Brede" },
      { mechanic_id: 2, name: "Pia Stern", hourly_rate: 72, town: "Sande" },
    ],
    filters: { town: S },
    fields: { name: S, hourly_rate: N, town: S },
    required: ["name"],
  },
  bikes: {
    key: "bike_id",
    keyType: I,
    rows: [
      { bike_id: 1, model: "Gazelle Arroyo", colour: "black", speed: 25, price: 1900 },
      { bike_id: 2, model: "Trek Verve", colour: "red", speed: 25, price: 900 },
    ],
    filters: { colour: S },
    fields: { model: S, colour: S, price: N, speed: N },
    required: ["model"],
  },
  repairs: {
    key: "repair_id",
    keyType: I,
    rows: [{ repair_id: 5, bike_id: 1, mechanic_id: 2, status: "open", text: "brake pads" }],
    filters: { status: { type: "string", enum: ["open", "done"] } },
    fields: { bike_id: I, mechanic_id: I, text: S },
    required: ["bike_id", "text"],
    actions: { finish: {} },
  },
});
const KITCHEN = createApplication({
  dishes: {
    key: "dish_id",
    keyType: I,
    rows: [
      { dish_id: 1, name: "Fish Stew", category: "main", price: 9.5 },
      { dish_id: 2, name: "Plum Cake", category: "dessert", price: 4 },
    ],
    filters: { category: { type: "string", enum: ["main", "dessert"] } },
    fields: { name: S, price: N },
    required: ["name"],
  },
  cooks: {
    key: "cook_id",
    keyType: I,
    rows: [{ cook_id: 3, name: "Rita Holm", town: "Sande", phone: "555 12" }],
    filters: { town: S },
    fields: { name: S, phone: S, town: S },
    required: ["name"],
  },
  suppliers: {
    key: "supplier_id",
    keyType: I,
    rows: [{ supplier_id: 4, name: "Grosso", town: "Brede", minimum: 50 }],
    filters: { town: S },
    fields: { name: S, town: S, minimum: N },
    required: ["name"],
  },
});

const BOATS = createApplication({
  skippers: {
    key: "skipper_id",
    keyType: I,
    rows: [
      { skipper_id: 1, name: "Runa Falk", day_rate: 210, phone: "555 11" },
      { skipper_id: 2, name: "Nils Torp", day_rate: 180, phone: "555 12" },
    ],
    fields: { name: S, day_rate: N, phone: S },
    required: ["name"],
  },
  boats: {
    key: "boat_id",
    keyType: I,
    rows: [
      { boat_id: 1, nickname: "Otter", in_dock: false, harbour: "Brede" },
      { boat_id: 2, nickname: "Puffin", in_dock: true, harbour: "Sande" },
    ],
    filters: { in_dock: { type: "boolean" } },
    fields: { nickname: S, in_dock: { type: "boolean" }, harbour: S },
    required: ["nickname"],
  },
  trips: {
    key: "trip_id",
    keyType: I,
    rows: [{ trip_id: 5, boat_id: 1, skipper_id: 2, to_town: "Vik", price: 300 }],
    filters: { to_town: S },
    fields: { boat_id: I, skipper_id: I, to_town: S, price: N },
    required: ["boat_id", "skipper_id", "to_town"],
  },
});

const OUTSIDE = [
  // knowledge
  [GARAGE, "whats the top speed of a bike in the tour de france"],
  [GARAGE, "what is the speed limit for bikes in norway"],
  [GARAGE, "what's the world record for repairing a bike"],
  [GARAGE, "who makes the best brakes in the world"],
  [GARAGE, "why do mechanics wear overalls"],
  [GARAGE, "is a steel bike heavier than a carbon one"],
  [GARAGE, "how many spokes does a wheel have"],
  [KITCHEN, "whats the boiling point of olive oil"],
  [KITCHEN, "what is the difference between a stew and a soup"],
  [KITCHEN, "how many calories are in plum cake"],
  [KITCHEN, "how long does a stew need in the oven"],
  [KITCHEN, "where does plum cake come from originally"],
  [KITCHEN, "who invented the dessert fork"],
  // advice
  [KITCHEN, "got a good recipe for fish stew?"],
  [KITCHEN, "do you know a good recipe for a dessert"],
  [KITCHEN, "any tips for a better cake?"],
  [KITCHEN, "any ideas for a birthday dessert?"],
  [KITCHEN, "give me a recipe for fish stew"],
  [KITCHEN, "need some advice on a dessert for kids"],
  [GARAGE, "got any tips for cleaning a bike chain?"],
  [GARAGE, "have you got a good trick for rusty bikes"],
  [GARAGE, "recommend me a good bike for the mountains"],
  [GARAGE, "what would you do with a rusty bike"],
  // tasks for hands
  [KITCHEN, "wash the dishes"],
  [KITCHEN, "how do i brown a dish without burning it"],
  [GARAGE, "how do you true a bike wheel"],
  [KITCHEN, "wash all dishes please"],
  [KITCHEN, "dry the dishes and put them away"],
  [KITCHEN, "stir the stew slowly"],
  [KITCHEN, "cook the fish stew"],
  [KITCHEN, "bake a plum cake"],
  [KITCHEN, "warm up the dishes"],
  [KITCHEN, "please taste the dishes"],
  [GARAGE, "polish the bikes"],
  [GARAGE, "oil the bikes"],
  [GARAGE, "wake the mechanics"],
  [GARAGE, "ride the red bike home"],
  // translations
  [GARAGE, "translate bike mechanic into spanish"],
  [GARAGE, "translate repairs to french"],
  [GARAGE, "how do you say mechanic in italian"],
  [GARAGE, "what is the german word for mechanic"],
  [GARAGE, "what does repair mean in danish"],
  [KITCHEN, "dishes in french please, translate"],
  // texts to be written
  [KITCHEN, "write a menu text for the dishes"],
  [KITCHEN, "write me a nice letter to our suppliers"],
  [KITCHEN, "compose a slogan for the desserts"],
  [GARAGE, "draft an email to the mechanics"],
  [GARAGE, "write an essay on bikes"],
  [GARAGE, "rhyme something with bike"],
  // what is nearby
  [GARAGE, "find me the cheapest bike shop around here"],
  [GARAGE, "find a petrol station near me"],
  [KITCHEN, "where is the nearest pizza place"],
  [KITCHEN, "any good restaurants nearby?"],
  [KITCHEN, "what's the best bakery in town"],
  // jokes, sums, news, weather, code
  [KITCHEN, "know any jokes about cooks?"],
  [GARAGE, "sing something about bikes"],
  [GARAGE, "what is 12 times 25"],
  [KITCHEN, "convert 3 cups to grams"],
  [KITCHEN, "what's the news about suppliers"],
  [GARAGE, "will it rain on the bikes tomorrow"],
  [KITCHEN, "is it cold outside today"],
  [GARAGE, "write a python script that sorts bikes"],
  // what is to be told to people
  [BOATS, "text runa falk that we are late"],
  [BOATS, "message nils torp that the trip to vik is off"],
  [BOATS, "email nils torp the price of trip 5"],
  [BOATS, "phone runa falk and say the otter is in dock"],
  [BOATS, "tell runa falk that the otter is in dock"],
  [BOATS, "remind nils torp about trip 5"],
  [BOATS, "let nils torp know that the trip is off"],
  [BOATS, "drop nils a line"],
  [BOATS, "inform runa falk that trip 5 is late"],
  [BOATS, "thank nils torp for the trip"],
  [GARAGE, "text otto lund that the red bike is done"],
  // further texts
  [BOATS, "write a job ad for a new skipper"],
  [BOATS, "write an advert for our boats"],
  [BOATS, "write a press release about the new boat"],
  [BOATS, "come up with a slogan for our boats"],
  [BOATS, "think of a name for a new boat"],
  [BOATS, "make up a story about the otter"],
  [BOATS, "make a flyer for our trips"],
  [BOATS, "make me a presentation about our boats"],
  [BOATS, "a speech for the skippers"],
  [BOATS, "job ad for a skipper"],
  // the way, news, and what others charge
  [BOATS, "fastest route to vik"],
  [BOATS, "shortest route from brede to sande"],
  [BOATS, "best way to get to sande"],
  [BOATS, "whats the fastest way to vik"],
  [BOATS, "how do i get to vik"],
  [BOATS, "how is traffic in sande"],
  [BOATS, "latest news about boats"],
  [BOATS, "how much do other skippers charge"],
] as const;

const INSIDE = [
  [GARAGE, "whats the speed of the gazelle arroyo"],
  [GARAGE, "what is the price of bike 2"],
  [GARAGE, "whats the hourly rate of otto lund"],
  [GARAGE, "what's the highest hourly rate"],
  [GARAGE, "the lowest hourly rate"],
  [GARAGE, "what are the open repairs"],
  [GARAGE, "is bike 1 black"],
  [GARAGE, "how many bikes are there"],
  [KITCHEN, "whats the price of the plum cake"],
  [KITCHEN, "what is the minimum of grosso"],
  [KITCHEN, "how many desserts are there"],
  [KITCHEN, "what desserts do we have"],
  [KITCHEN, "which town is grosso in"],
  [KITCHEN, "got any desserts?"],
  [KITCHEN, "do you have any desserts?"],
  [KITCHEN, "any dishes under 5?"],
  [KITCHEN, "any suppliers in Brede?"],
  [KITCHEN, "give me the dishes under 5"],
  [KITCHEN, "need the phone of rita holm"],
  [GARAGE, "got any red bikes?"],
  [GARAGE, "have you got any black bikes"],
  [GARAGE, "show me a bike for under 1000"],
  [GARAGE, "what would bike 2 cost"],
  [KITCHEN, "show the dishes"],
  [KITCHEN, "all dishes please"],
  [KITCHEN, "the dishes"],
  [KITCHEN, "dish 1"],
  [KITCHEN, "cook 3"],
  [KITCHEN, "cooks in Sande"],
  [KITCHEN, "dishes and their price"],
  [GARAGE, "list the bikes"],
  [GARAGE, "finish repair 5"],
  [GARAGE, "repairs that are open"],
  [GARAGE, "count the mechanics"],
  [GARAGE, "the red bike"],
  [GARAGE, "mechanics in Sande"],
  [GARAGE, "repairs with the text brake pads"],
  [GARAGE, "which mechanic lives in Brede"],
  [GARAGE, "what is the colour of the trek verve"],
  [GARAGE, "what is the text of repair 5"],
  [KITCHEN, "dishes in the category dessert"],
  [KITCHEN, "add a dish: Onion Tart, price 7"],
  [KITCHEN, "create a supplier called Havel"],
  [KITCHEN, "set the price of dish 2 to 5"],
  [GARAGE, "add a mechanic called Jon Ek"],
  [GARAGE, "rename mechanic 2 to Pia Berg"],
  [GARAGE, "change the colour of bike 1 to blue"],
  [GARAGE, "find me the cheapest bike"],
  [GARAGE, "find a mechanic in Brede"],
  [KITCHEN, "the town of grosso"],
  [KITCHEN, "any good dishes under 5?"],
  [KITCHEN, "what's the cheapest dish"],
  [KITCHEN, "know any suppliers in Brede?"],
  [GARAGE, "get something about bike 1"],
  [GARAGE, "what is repair 5"],
  [KITCHEN, "change the price of dish 1 to 8"],
  [KITCHEN, "what's new about dish 1"],
  [GARAGE, "is bike 2 red"],
  [KITCHEN, "is rita holm in Sande"],
  [GARAGE, "sort the bikes by price"],
  [BOATS, "tell me the price of trip 5"],
  [BOATS, "tell me about trip 5"],
  [BOATS, "let me know which boats are in dock"],
  [BOATS, "phone of runa falk"],
  [BOATS, "phone runa falk"],
  [BOATS, "ask for the phone of nils torp"],
  [BOATS, "write a new skipper: Ola Nes"],
  [BOATS, "create a boat called Letter"],
  [BOATS, "create a skipper called Ad Post"],
  [BOATS, "i need a boat in Brede"],
  [BOATS, "show me the trips to vik"],
  [BOATS, "the cheapest trip to vik"],
  [BOATS, "how do i get the price of trip 5"],
  [BOATS, "how much does trip 5 cost"],
  [BOATS, "find the name of skipper 1"],
] as const;

describe("The offline planner neither reads nor offers anything for", () => {
  for (const [application, prompt] of OUTSIDE)
    it(`"${prompt}"`, async () => {
      const { calls, text } = await askOf(application, prompt);
      expect({ calls, offers: /Say "yes"|That is done by|needs (?:it|them);/.test(text) }).to.deep.equal({
        calls: [],
        offers: false,
      });
    });
});

describe("The offline planner still reads or changes what is meant by", () => {
  for (const [application, prompt] of INSIDE)
    it(`"${prompt}"`, async () => {
      expect((await askOf(application, prompt)).calls).to.not.deep.equal([]);
    });
});
