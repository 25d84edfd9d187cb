CREATE TABLE `idempotency_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`session_id` text NOT NULL,
	`turn_id` text NOT NULL,
	`prompt` text,
	`client` text NOT NULL,
	`asked_by` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `idempotency_keys_key` ON `idempotency_keys` (`scope`,`key`);--> statement-breakpoint
CREATE INDEX `idempotency_keys_turn` ON `idempotency_keys` (`turn_id`);--> statement-breakpoint
CREATE INDEX `idempotency_keys_waiting` ON `idempotency_keys` (`id`) WHERE prompt IS NOT NULL;