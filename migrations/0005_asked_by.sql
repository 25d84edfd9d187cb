ALTER TABLE `confirmations` ADD `asked_by` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `confirmations` ADD `decided_by` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `history` ADD `asked_by` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `history_asked_by` ON `history` (`asked_by`);--> statement-breakpoint
ALTER TABLE `turns` ADD `asked_by` text DEFAULT '' NOT NULL;