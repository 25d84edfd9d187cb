// What can become of a confirmation.

/** How a confirmation ends. Source: docs/reference.md, "Confirmations". */
export const RESOLUTIONS = ["approved", "denied", "expired"] as const;

/** Every status of a confirmation. */
export const CONFIRMATION_STATUSES = ["pending", ...RESOLUTIONS] as const;
