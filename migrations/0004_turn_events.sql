ALTER TABLE `history` ADD `event` integer;--> statement-breakpoint
ALTER TABLE `turns` ADD `events` text;--> statement-breakpoint
CREATE INDEX `turns_turn_id` ON `turns` (`turn_id`);