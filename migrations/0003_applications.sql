ALTER TABLE `confirmations` ADD `application` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `history` ADD `application` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `history_application` ON `history` (`application`);