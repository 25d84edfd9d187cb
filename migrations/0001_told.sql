ALTER TABLE `confirmations` ADD `told` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `confirmations_untold` ON `confirmations` (`session_id`) WHERE told = 0;--> statement-breakpoint
UPDATE `confirmations` SET `told` = 1 WHERE `status` <> 'pending';
