// What can become of a confirmation.

/** How a confirmation ends. Source: docs/reference.md, "Confirmations". */
export const RESOLUTIONS = ["approved", "denied", "expired"] as const;

/** Every status of a confirmation. */
export const CONFIRMATION_STATUSES = ["pending", ...RESOLUTIONS] as const;

/** What confirmations are listed by: a status, or `decided` for all but `pending`. */
export const CONFIRMATION_FILTERS = [...CONFIRMATION_STATUSES, "decided"] as const;
