CREATE TABLE `chain_head` (
	`id` integer PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`hash` text NOT NULL,
	`confirmations_after` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `owner` (
	`id` integer PRIMARY KEY NOT NULL,
	`pid` integer NOT NULL,
	`started` text NOT NULL,
	`boot` text NOT NULL,
	`namespace` text NOT NULL,
	`host` text NOT NULL,
	`file` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `history` ADD `confirmation` text;--> statement-breakpoint
INSERT INTO `chain_head` (`id`, `seq`, `hash`, `confirmations_after`)
	SELECT 1, `seq`, `hash`, (SELECT coalesce(max(`id`), 0) FROM `history`) FROM (
		SELECT `seq`, `hash` FROM `history` WHERE `seq` IS NOT NULL
		UNION ALL SELECT `seq`, `hash` FROM `chain_anchor`
		UNION ALL SELECT 0, '0000000000000000000000000000000000000000000000000000000000000000'
	) ORDER BY `seq` DESC LIMIT 1;
