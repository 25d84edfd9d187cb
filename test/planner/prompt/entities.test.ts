// The entities the planner finds in a prompt: their kinds and values, dates among them.
import { expect } from "chai";
import { findEntities } from "../../../src/planner/prompt/entities.js";

const TODAY = { date: "2026-11-21", timeZone: "UTC" }; // a Saturday
const found = (text: string): unknown[] => findEntities(text, TODAY).map(({ kind, value }) => [kind, value]);

describe("Entities of a prompt", () => {
  const cases: [string, unknown[]][] = [
    ['a lamp called "Sun 2"', [["quoted", "Sun 2"]]],
    [
      "create a product named Blue Lamp with price 10.5",
      [
        ["quoted", "Blue Lamp"],
        ["number", 10.5],
      ],
    ],
    [
      "close issue #12 in octo/hello",
      [
        ["number", 12],
        ["path", "octo/hello"],
      ],
    ],
    [
      "write to ada@example.com about https://example.com/x.",
      [
        ["email", "ada@example.com"],
        ["url", "https://example.com/x"],
      ],
    ],
    [
      "pay $1,250.50 or 5%",
      [
        ["number", 1250.5],
        ["number", 5],
      ],
    ],
    [
      "2.5 million and three",
      [
        ["number", 2500000],
        ["number", 3],
      ],
    ],
    [
      "weigh 70kg at 6:30 PM",
      [
        ["number", 70],
        ["time", "6:30 PM"],
      ],
    ],
    [
      "between San Francisco and New York",
      [
        ["name", "San Francisco"],
        ["name", "New York"],
      ],
    ],
    [
      "values [3, 4, 5.5] and ['red', 'blue']",
      [
        ["list", [3, 4, 5.5]],
        ["list", ["red", "blue"]],
      ],
    ],
    [
      "the user user_321x at 10.0.0.1",
      [
        ["id", "user_321x"],
        ["id", "10.0.0.1"],
      ],
    ],
    [
      "room 12b costs 50% in hall 2",
      [
        ["id", "12b"],
        ["number", 50],
        ["number", 2],
      ],
    ],
    [
      "5kg of the 2nd lot",
      [
        ["number", 5],
        ["number", 2],
      ],
    ],
    ["order 12345678901234567890", [["number", 12345678901234567890n]]],
    ["delete the second one", []],
  ];
  for (const [text, expected] of cases)
    it(`reads "${text}"`, () => {
      expect(found(text)).to.deep.equal(expected);
    });

  const dates: [string, string][] = [
    ["2026-03-01", "2026-03-01"],
    ["2026-03-01T10:30:00Z", "2026-03-01T10:30:00Z"],
    ["May 12, 2022", "2022-05-12"],
    ["3rd of June 2025", "2025-06-03"],
    ["12/31/2025", "2025-12-31"],
    ["31/12/2025", "2025-12-31"],
    ["04.12.2026", "2026-12-04"],
    ["today", "2026-11-21"],
    ["tomorrow", "2026-11-22"],
    ["in 2 weeks", "2026-12-05"],
    ["next monday", "2026-11-23"],
    ["monday", "2026-11-23"],
    ["last friday", "2026-11-20"],
    ["1 Sept 2027", "2027-09-01"],
    ["2 months ago", "2026-09-21"],
  ];
  for (const [text, expected] of dates)
    it(`reads the date "${text}"`, () => {
      expect(found(`on ${text}`)).to.deep.equal([["date", expected]]);
    });

  it("takes no impossible date for a date", () => {
    expect(found("on 2/31/2025").some((value) => Array.isArray(value) && value[0] === "date")).to.equal(false);
  });
});
