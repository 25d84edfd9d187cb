ALTER TABLE `sessions` ADD `provider` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `model` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `usage` text;--> statement-breakpoint
ALTER TABLE `turns` ADD `usage` text;