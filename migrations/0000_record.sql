CREATE TABLE `chain_anchor` (
	`id` integer PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`hash` text NOT NULL,
	`pruned_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `confirmations` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`history_id` integer NOT NULL,
	`session_id` text NOT NULL,
	`turn_id` text NOT NULL,
	`call_id` text NOT NULL,
	`tool` text NOT NULL,
	`safety` text NOT NULL,
	`arguments` text NOT NULL,
	`request` text NOT NULL,
	`policy` text NOT NULL,
	`provider` text NOT NULL,
	`model` text NOT NULL,
	`client` text NOT NULL,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`decided_at` text,
	`reason` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `confirmations_id` ON `confirmations` (`id`);--> statement-breakpoint
CREATE INDEX `confirmations_status` ON `confirmations` (`status`);--> statement-breakpoint
CREATE INDEX `confirmations_history` ON `confirmations` (`history_id`);--> statement-breakpoint
CREATE TABLE `history` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`ts` text NOT NULL,
	`session_id` text NOT NULL,
	`turn_id` text NOT NULL,
	`call_id` text NOT NULL,
	`tool` text NOT NULL,
	`arguments` text NOT NULL,
	`safety` text NOT NULL,
	`policy` text NOT NULL,
	`request` text,
	`provider` text NOT NULL,
	`model` text NOT NULL,
	`client` text NOT NULL,
	`boot_id` text NOT NULL,
	`status` text NOT NULL,
	`result` text,
	`duration_ms` real,
	`seq` integer,
	`hash` text
);
--> statement-breakpoint
CREATE INDEX `history_session` ON `history` (`session_id`);--> statement-breakpoint
CREATE INDEX `history_tool` ON `history` (`tool`);--> statement-breakpoint
CREATE INDEX `history_status` ON `history` (`status`);--> statement-breakpoint
CREATE UNIQUE INDEX `history_seq` ON `history` (`seq`) WHERE seq IS NOT NULL;--> statement-breakpoint
CREATE TABLE `messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`session` integer NOT NULL,
	`turn` integer NOT NULL,
	`body` text NOT NULL,
	FOREIGN KEY (`session`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `messages_session` ON `messages` (`session`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`session_id` text NOT NULL,
	`created_at` text NOT NULL,
	`title` text NOT NULL,
	`turns` integer NOT NULL,
	`last_turn` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_session_id` ON `sessions` (`session_id`);--> statement-breakpoint
CREATE INDEX `sessions_last_turn` ON `sessions` (`last_turn`);--> statement-breakpoint
CREATE TABLE `turns` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`session` integer NOT NULL,
	`turn_id` text NOT NULL,
	`prompt` text NOT NULL,
	`status` text NOT NULL,
	`error` text NOT NULL,
	`started_at` text NOT NULL,
	`ended_at` text,
	`provider` text NOT NULL,
	`model` text NOT NULL,
	`client` text NOT NULL,
	`history_before` integer NOT NULL,
	FOREIGN KEY (`session`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `turns_session` ON `turns` (`session`);--> statement-breakpoint
CREATE INDEX `turns_running` ON `turns` (`id`) WHERE status = 'running';