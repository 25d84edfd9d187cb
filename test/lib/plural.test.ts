import { expect } from "chai";
import { isPlural, pluralOf, singularOf } from "../../src/lib/plural.js";

/** One and many, both ways. */
const PAIRS = [
  "order orders, box boxes, batch batches, dish dishes, address addresses, city cities, key keys, hero heroes, size sizes",
  "person people, child children, man men, woman women, mouse mice, foot feet, criterion criteria, index indices",
  "matrix matrices, vertex vertices, status statuses, bus buses, virus viruses, campus campuses, alias aliases",
  "analysis analyses, crisis crises, axis axes, cache caches, shoe shoes, movie movies, cookie cookies, calorie calories",
  "lens lenses, canvas canvases, quiz quizzes, shelf shelves, warehouse warehouses, house houses, response responses",
  "database databases, license licenses, course courses, process processes, id ids, toy toys, survey surveys",
].flatMap((line) => line.split(", ").map((pair) => pair.split(" ") as [string, string]));

describe("Singular and plural", () => {
  it("lead to each other, for regular words and those that keep to no rule", () => {
    for (const [one, many] of PAIRS) {
      expect(singularOf(many), many).to.equal(one);
      expect(pluralOf(one), one).to.equal(many);
      expect([singularOf(one), pluralOf(many)], one).to.deep.equal([one, many]);
      expect([isPlural(one), isPlural(many)], one).to.deep.equal([false, true]);
    }
  });

  it("are the same for words that have one form", () => {
    for (const word of "news series species settings analytics data media sms dns https".split(" ")) {
      expect([singularOf(word), pluralOf(word)], word).to.deep.equal([word, word]);
    }
    expect(["settings", "series", "news"].filter(isPlural)).to.have.length(3);
    expect(["data", "dns", "bus", "class", "basis"].filter(isPlural)).to.deep.equal([]);
  });

  it("reads the other plural of a word that has two", () => {
    expect(singularOf("indexes")).to.equal("index");
  });
});
