CREATE TABLE `kept_results` (
	`history_id` integer PRIMARY KEY NOT NULL,
	`path` text NOT NULL,
	`items` integer NOT NULL,
	`bytes` integer NOT NULL,
	`truncated` integer NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `saved_actions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`action_id` text NOT NULL,
	`title` text NOT NULL,
	`tool` text NOT NULL,
	`arguments` text NOT NULL,
	`pinned` integer NOT NULL,
	`created_at` text NOT NULL,
	`created_by` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_actions_action_id` ON `saved_actions` (`action_id`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `given_title` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `continues` text;