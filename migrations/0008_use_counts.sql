CREATE TABLE `use_counts` (
	`id` integer PRIMARY KEY NOT NULL,
	`scope` text NOT NULL,
	`name` text NOT NULL,
	`calls` integer NOT NULL,
	`model_calls` integer NOT NULL,
	`tokens` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `use_counts_name` ON `use_counts` (`scope`,`name`);