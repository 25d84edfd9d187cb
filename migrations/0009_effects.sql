ALTER TABLE `confirmations` ADD `effect` text;--> statement-breakpoint
ALTER TABLE `confirmations` ADD `undo` text;--> statement-breakpoint
ALTER TABLE `confirmations` ADD `fingerprint` text;--> statement-breakpoint
ALTER TABLE `history` ADD `effect` text;--> statement-breakpoint
ALTER TABLE `history` ADD `undo` text;--> statement-breakpoint
ALTER TABLE `history` ADD `transaction_id` text;--> statement-breakpoint
ALTER TABLE `history` ADD `undone_by` integer;--> statement-breakpoint
CREATE INDEX `history_undoable` ON `history` (`session_id`) WHERE undo IN ('possible', 'partial') AND undone_by IS NULL;