// The words in the name of a field or a parameter: "cost" is one of `unit_cost`, and none of `costume_id`. A name in, yes or no out.

import { words } from "../../tools/search/terms.js";

/** Whether a word of a name is of this form. */
export const hasWord = (name: string, form: RegExp): boolean => words(name).some((word) => form.test(word));
