// Conditions as they are typed for `agentd result --filter`.
import { expect } from "chai";
import { parseCondition } from "../../../src/cli/terminal/result-filter.js";

describe("A condition on the command line", () => {
  it("is a field, a sign and a value, which is a number where it is typed like one", () => {
    expect(parseCondition("status=open")).to.deep.equal({ field: "status", op: "eq", value: "open" });
    expect(parseCondition("price>=10.5")).to.deep.equal({ field: "price", op: "ge", value: 10.5 });
    expect(parseCondition("id!=9007199254740993")).to.deep.equal({
      field: "id",
      op: "ne",
      value: 9_007_199_254_740_993n,
    });
    expect(parseCondition("zip=007")).to.deep.equal({ field: "zip", op: "eq", value: "007" });
    expect(parseCondition("customer.name~a=b")).to.deep.equal({ field: "customer.name", op: "contains", value: "a=b" });
    expect(parseCondition("note=")).to.deep.equal({ field: "note", op: "empty" });
    expect(parseCondition("note!=")).to.deep.equal({ field: "note", op: "not_empty" });
  });

  it("is refused without a field or a sign", () => {
    for (const text of ["status", "=open", "", "  <3"])
      expect(() => parseCondition(text), text).to.throw(/is no condition/);
  });
});
