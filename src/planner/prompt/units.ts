// Units of measurement, and the one behind a number of a prompt. What is written in another way than these is no unit here.

/** A unit: what it measures, and how many of the basic unit one is. */
export interface Unit {
  measures: string;
  size: number;
}

/** Units by what they measure: names in any case, symbols in their own. */
const TABLE: readonly [measures: string, units: string][] = [
  ["mass", "kg=1 g=0.001 mg=1e-6 lb=0.45359237 lbs=0.45359237 oz=0.028349523125"],
  ["mass", "tonne=1000 kilogram=1 kilo=1 gram=0.001 milligram=1e-6 pound=0.45359237 ounce=0.028349523125"],
  ["length", "m=1 km=1000 cm=0.01 mm=0.001 µm=1e-6 nm=1e-9 ft=0.3048 mi=1609.344"],
  [
    "length",
    "meter=1 metre=1 kilometer=1000 kilometre=1000 centimeter=0.01 centimetre=0.01 millimeter=0.001 millimetre=0.001",
  ],
  ["length", "foot=0.3048 feet=0.3048 inch=0.0254 inches=0.0254 yard=0.9144 mile=1609.344"],
  ["time", "ms=0.001 s=1 sec=1 min=60 mins=60 h=3600 hr=3600 hrs=3600"],
  ["time", "millisecond=0.001 second=1 minute=60 hour=3600 day=86400 week=604800"],
  ["area", "sqm=1 m²=1 m2=1 km²=1e6 km2=1e6 sqft=0.09290304 ft²=0.09290304 ha=10000 hectare=10000 acre=4046.8564224"],
  ["area", "square_meter=1 square_metre=1 square_kilometer=1e6 square_kilometre=1e6"],
  ["area", "square_foot=0.09290304 square_feet=0.09290304 square_mile=2589988.110336"],
  ["volume", "l=1 L=1 ml=0.001 mL=0.001 cl=0.01 liter=1 litre=1 milliliter=0.001 millilitre=0.001"],
  ["inductance", "H=1 mH=0.001 µH=1e-6 uH=1e-6 nH=1e-9 henry=1 henries=1 millihenry=0.001 microhenry=1e-6"],
  [
    "capacitance",
    "F=1 mF=0.001 µF=1e-6 uF=1e-6 nF=1e-9 pF=1e-12 farad=1 microfarad=1e-6 nanofarad=1e-9 picofarad=1e-12",
  ],
  ["voltage", "V=1 mV=0.001 kV=1000 volt=1 millivolt=0.001 kilovolt=1000"],
  ["current", "A=1 mA=0.001 ampere=1 amp=1 milliampere=0.001"],
  ["resistance", "Ω=1 kΩ=1000 MΩ=1e6 ohm=1 kiloohm=1000"],
  ["power", "W=1 mW=0.001 kW=1000 MW=1e6 watt=1 kilowatt=1000 megawatt=1e6"],
  ["frequency", "Hz=1 kHz=1000 MHz=1e6 GHz=1e9 hertz=1 kilohertz=1000 megahertz=1e6 gigahertz=1e9"],
  ["energy", "J=1 kJ=1000 joule=1 kilojoule=1000 Wh=3600 kWh=3.6e6"],
  ["pressure", "Pa=1 hPa=100 kPa=1000 bar=1e5 pascal=1 kilopascal=1000"],
  [
    "data",
    "KB=1e3 MB=1e6 GB=1e9 TB=1e12 KiB=1024 MiB=1048576 GiB=1073741824 byte=1 kilobyte=1e3 megabyte=1e6 gigabyte=1e9",
  ],
];

const UNITS: ReadonlyMap<string, Unit> = new Map(
  TABLE.flatMap(([measures, units]) =>
    units.split(" ").map((one): [string, Unit] => {
      const [name = "", size] = one.split("=");
      return [name.replace("_", " "), { measures, size: Number(size) }];
    }),
  ),
);

/** Written out, a unit is a word of four letters or more. */
export const isUnitWord = (name: string): boolean => name.length > 3 || name === "day";

/** A unit as it is written: a symbol as it stands, a word in any case and number. */
export function unitOf(written: string): Unit | undefined {
  const known = UNITS.get(written);
  if (known) return known;
  const word = written.toLowerCase();
  return [word, word.replace(/s$/, "")].filter(isUnitWord).flatMap((one) => UNITS.get(one) ?? [])[0];
}

/** The unit that a text behind a number begins with, as it is written: "mH", "kg", "minutes". */
export function unitBehind(text: string): string | undefined {
  // A single capital that stands alone is rather a name: "plan 5 A".
  const written = /^(?:\s?(?![A-ZΩ](?!\p{L}))|(?=[A-ZΩ]))((?:square\s)?[\p{L}Ωµ]+[²2]?)(?![\p{L}\p{N}_])/u.exec(
    text,
  )?.[1];
  return written !== undefined && unitOf(written) ? written : undefined;
}

/** Whether a word says how many of a unit there are: "mileage" of miles, "tonnage" of tons; a "postage" is none of posts. */
export const isCountOf = (word: string, unit: string): boolean =>
  (unitOf(unit) !== undefined || /^(?:ton|gallon)$/.test(unit)) &&
  unit.length > 2 &&
  [`${unit}age`, `${unit.replace(/e$/, "")}age`, `${unit}${unit.at(-1) ?? ""}age`].includes(word);

/** The words of a name before a "per": a price per kg is in no kg. */
export function beforePer(name: readonly string[]): readonly string[] {
  const at = name.indexOf("per");
  return at < 0 ? name : name.slice(0, at);
}

/** What the names of fields end in beside the units of a number in a prompt. */
const ENDING =
  /^(?:eur|euros?|usd|dollars?|gbp|pounds?|chf|nok|sek|dkk|jpy|cents?|pct|percent|tonnes?|t|hrs?|kph|kmh|mph|kn|knots|arcsec|arcmin|deg|degrees|celsius|fahrenheit|kelvin|ppm|ntu|bpm|rpm|db)$/;

/** The words of a name without the unit, or the currency, that it ends in: "weight" of `weight_kg`, "value" of `value_eur`. */
export function withoutUnit(name: readonly string[]): readonly string[] {
  const last = name.at(-1) ?? "";
  return name.length > 1 && (unitOf(last) !== undefined || ENDING.test(last)) ? name.slice(0, -1) : name;
}
