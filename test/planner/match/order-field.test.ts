// Which field the words of an order are by.
import { expect } from "chai";
import { orderedName } from "../../../src/planner/match/order-field.js";

const order = (field: string, loose?: true) => ({
  text: field,
  field,
  descending: true,
  byTime: false,
  ...(loose && { loose }),
});

describe("The offline planner finds the field of an order", () => {
  it("and takes no key of what is counted for an amount", () => {
    expect(orderedName(["id", "show_id", "room"], order("shows", true))).to.equal(undefined);
    expect(orderedName(["id", "show_id", "shows"], order("shows", true))).to.equal("shows");
    expect(orderedName(["id", "show_id", "room"], order("show"))).to.equal("show_id");
    expect(orderedName(["id", "room"], order("id", true))).to.equal("id");
  });
});
