// What belongs to a named record is listed, or nothing is: the record of its owner is no answer, whatever a note in it mentions.
import { expect } from "chai";
import { type Application, askOf, createApplication } from "../samples/collections.js";
import { tool } from "../session.js";

const whole = { type: "integer" };
const text = { type: "string" };
const state = { type: "string", enum: ["active", "fallow"] };

/** A vineyard whose plots have the key of their grower in this field. */
function vineyard(field: string): Application {
  const application = createApplication({
    growers: {
      key: "grower_id",
      keyType: whole,
      rows: [
        { id: 1, grower_no: "G-01", name: "Ines Moreau", role: "board", notes: "has a trailer for clearing old plots" },
        { id: 2, grower_no: "G-02", name: "Paul Faber", role: "board", notes: "" },
      ],
      fields: { name: text },
      required: ["name"],
    },
    terraces: { key: "terrace_id", keyType: whole, rows: [{ id: 1, name: "South" }] },
    plots: {
      key: "plot_id",
      keyType: whole,
      rows: [
        { id: 5, code: "P-05", [field]: 1, status: "active", area: 3 },
        { id: 6, code: "P-06", [field]: 1, status: "fallow", area: 2 },
        { id: 7, code: "P-07", [field]: 2, status: "active", area: 4 },
      ],
      filters: { status: state },
      fields: { code: text, [field]: whole, area: whole, status: state },
      required: ["code"],
    },
  });
  const nested = tool("list_terrace_plots", "list", "GET /terraces/{terrace_id}/plots", { terrace_id: whole }, [
    "terrace_id",
  ]);
  return { ...application, tools: [...application.tools, nested] };
}

const PROMPTS = [
  "Which of Ines Moreau's plots are still active?",
  "could you tell me which of Ines Moreau's plots are active",
  "which plots of Ines Moreau are active?",
  "Ines Moreau's active plots",
];

describe("What belongs to a named record", () => {
  for (const prompt of PROMPTS) {
    it(`is listed and narrowed for "${prompt}"`, async () => {
      const answer = (await askOf(vineyard("grower_id"), prompt)).text;
      expect(answer).to.match(/^1 plot with status = active and grower_id = 1:/);
    });

    it(`is not answered by its owner where nothing says whose it is: "${prompt}"`, async () => {
      const answer = (await askOf(vineyard("owner_id"), prompt)).text;
      expect(answer)
        .to.match(/^I (?:found no|could not|cannot|did not)/)
        .and.not.match(/G-01/);
    });
  }

  it("is not answered by its owner who is named by the key", async () => {
    for (const prompt of ["plots of grower 1", "which of grower 1's plots are active"])
      expect((await askOf(vineyard("owner_id"), prompt)).text).to.match(
        /^I found nothing about "plots" in this grower/,
      );
  });

  it("leaves what the record itself says as it was", async () => {
    expect((await askOf(vineyard("owner_id"), "what is Ines Moreau's role")).text).to.match(/^role: board/);
    expect((await askOf(vineyard("owner_id"), "grower 1's notes")).text).to.match(/trailer/);
    expect((await askOf(vineyard("owner_id"), "grower 1")).text).to.match(/G-01/);
  });
});
