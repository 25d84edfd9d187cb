// Time zones by name, and what time it is there.
import { expect } from "chai";
import { isTimeZone, localTime, ownTimeZone, zonedMoment } from "../../src/domain/time-zone.js";

describe("Time zones", () => {
  for (const name of ["Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC", "Etc/GMT+3", "asia/tokyo"])
    it(`knows ${name}`, () => expect(isTimeZone(name)).to.equal(true));

  for (const name of [
    "",
    "Europe/Atlantis",
    "+01:00",
    "Europe/Berlin\n",
    "../etc/localtime",
    "a".repeat(65),
    "Europe/",
  ])
    it(`refuses ${JSON.stringify(name)}`, () => expect(isTimeZone(name)).to.equal(false));

  it("has a zone of its own", () => expect(isTimeZone(ownTimeZone())).to.equal(true));

  it("makes what formats a time once for a zone, and for its own", () => {
    const { DateTimeFormat } = Intl;
    let made = 0;
    const tell = (): unknown => [localTime(new Date(0), ownTimeZone()), localTime(new Date(0), "Asia/Kathmandu")];
    const first = tell();
    Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
      construct: (target, args) => {
        made++;
        return Reflect.construct(target, args) as object;
      },
    });
    try {
      expect(tell()).to.deep.equal(first);
    } finally {
      Intl.DateTimeFormat = DateTimeFormat;
    }
    expect(made).to.equal(0);
  });

  it("tells how far a place is from UTC at a time there, on both sides of a change of the clocks", () => {
    const berlin = (day: string, time: string): string => zonedMoment(day, time, "Europe/Berlin");
    expect(berlin("2026-12-04", "10:30:00")).to.equal("2026-12-04T10:30:00+01:00");
    expect(berlin("2026-06-04", "10:30:00")).to.equal("2026-06-04T10:30:00+02:00");
    expect(berlin("2026-10-25", "01:30:00")).to.equal("2026-10-25T01:30:00+02:00");
    expect(berlin("2026-10-25", "03:30:00")).to.equal("2026-10-25T03:30:00+01:00");
    expect(zonedMoment("2026-12-04", "10:30:00", "UTC")).to.equal("2026-12-04T10:30:00Z");
  });

  it("tells the day of the place, not of Greenwich", () => {
    const at = new Date("2026-11-22T23:31:00Z");
    expect(localTime(at, "Asia/Tokyo")).to.deep.equal({
      date: "2026-11-23",
      text: "Monday, 2026-11-23 08:31 (Asia/Tokyo, GMT+09:00)",
      timeZone: "Asia/Tokyo",
    });
    expect(localTime(at, "America/New_York").date).to.equal("2026-11-22");
    expect(localTime(new Date("2026-01-01T00:00:00Z"), "UTC").text).to.equal(
      "Thursday, 2026-01-01 00:00 (UTC, GMT+00:00)",
    );
  });
});
