import { expect } from "chai";
import { isAbandoned, wishIn } from "../../../src/planner/prompt/statement.js";

describe("A statement that stands for a command", () => {
  for (const [text, command] of [
    ["the price of product 3 should be 12", "set the price of product 3 to 12"],
    ["Stock for product 3 is now 40.", "set the Stock of product 3 to 40"],
    ["player 7's rating must be 1502", "set the rating of player 7 to 1502"],
    ["player 7 now has a rating of 1502", "set the rating of player 7 to 1502"],
    ["room 3 now has 52 seats", "set the seats of room 3 to 52"],
    ["give player 8 a rating of 1580", "set the rating of player 8 to 1580"],
    ["extend the licence of arbiter 3 until 2028-12-31", "set the licence of arbiter 3 to 2028-12-31"],
    ["promote member 4 to mentor", "set member 4 to mentor"],
    ["hive 6 is strong again", "set hive 6 to strong"],
    ["garden 10 is now open access", "set garden 10 to open access"],
    ["  please the price  of product 3\tshould be 12 ! .", "set the price of product 3 to 12"],
    ["worker 3 now works the night shift", "set worker 3 to the night shift"],
  ] as const)
    it(`is ${JSON.stringify(text)}`, () => {
      expect(wishIn(text)?.command).to.equal(command);
    });

  for (const text of [
    "hive 6 is strong",
    "trip 71 finished",
    "is hive 6 strong again?",
    "which hives are strong again",
    "hives that are now strong",
    "the price of product 3 should not be 12",
    "hive 6 is strong again or dead",
    "list boats",
    "is hive 6 strong again?!",
    "the price of product 3 should be 12\nand that of product 4 should be 13",
    `the price of product 3 should be ${"very ".repeat(40)}low`,
    "price of product 3",
  ])
    it(`is not ${JSON.stringify(text)}`, () => {
      expect(wishIn(text)?.command).to.equal(undefined);
    });
});

describe("An intention in the past", () => {
  for (const text of [
    "I was about to close berth N2 but then decided against it",
    "We were going to add a concert in April but the hall is taken",
    "I'd planned to delete order 5 but changed my mind",
    "I wanted to cancel booking 3, but don't any more",
  ])
    it(`asks for nothing: "${text}"`, () => {
      expect(isAbandoned(text)).to.equal(true);
    });

  for (const text of [
    "I was going to cancel booking 3 but first show me order 5",
    "I wanted to see the open tickets, but only of machine 3",
    "I was going to ask how many members we have",
    "I was about to close berth N2 but decided against it. Close berth N3",
    "I was going to cancel booking 3, but is it paid?",
    "cancel booking 3 but not order 5",
    "list the concerts that were going to be in April but moved",
  ])
    it(`may ask for something: "${text}"`, () => {
      expect(isAbandoned(text)).to.equal(false);
    });
});
