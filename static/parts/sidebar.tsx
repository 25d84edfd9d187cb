// Navigation: a new chat, the pages, the sessions, and which daemon this is.
import { pendingConfirmations } from "../state/confirmations.js";
import { newChat } from "../state/conversations.js";
import { applications, config, tools } from "../state/daemon.js";
import { forgetDrafts } from "../state/drafts.js";
import { drawerOpen, type PageName, view } from "../state/route.js";
import { nextTheme, theme } from "../state/theme.js";
import { signOut, storedToken } from "../state/token.js";
import { DRAWER_IDS } from "./drawer.js";
import { Icon, Mark } from "./icons.js";
import { SessionList } from "./session-list.js";
import { ViewLink } from "./view-link.js";

const PAGES = {
  tools: { label: "Tools", icon: "sliders" },
  history: { label: "History", icon: "clock" },
  confirmations: { label: "Approvals", icon: "shield" },
  settings: { label: "Settings", icon: "gear" },
} as const;

function PageLink({ page, count }: { page: PageName; count?: number }) {
  const { label, icon } = PAGES[page];
  return (
    <li>
      <ViewLink view={{ kind: page }} current={view.value.kind === page}>
        <Icon name={icon} />
        {label}
        {count !== undefined && <span class="count">{count.toLocaleString()}</span>}
      </ViewLink>
    </li>
  );
}

const THEME_ICONS = { system: "system", light: "sun", dark: "moon" } as const;

function leave(): void {
  forgetDrafts();
  signOut();
}

function Foot() {
  const { default_provider: provider, model, version } = config.value ?? {};
  const targets = applications.value.map(({ name, base_url, error }) =>
    applications.value.length === 1 ? base_url : `${name || base_url}${error === undefined ? "" : " (broken)"}`,
  );
  return (
    <footer class="foot">
      <dl>
        <dt>Model</dt>
        <dd title={model}>{model ? `${provider} · ${model}` : provider}</dd>
        <dt>{targets.length > 1 ? "Targets" : "Target"}</dt>
        <dd title={targets.join("\n")}>{targets.join(", ") || (provider && "none")}</dd>
      </dl>
      <div class="foot-row">
        <span class="faint">{version ? `agentd ${version}` : "agentd"}</span>
        <span class="spacer" />
        <button
          type="button"
          class="icon-button"
          aria-label={`Colours: ${theme.value}`}
          title={`Colours: ${theme.value}`}
          onClick={nextTheme}
        >
          <Icon name={THEME_ICONS[theme.value]} />
        </button>
        {storedToken() !== "" && (
          <button type="button" class="icon-button" aria-label="Sign out" title="Sign out" onClick={leave}>
            <Icon name="leave" />
          </button>
        )}
      </div>
    </footer>
  );
}

/** The sidebar; a drawer on a narrow screen. */
export function Sidebar() {
  return (
    <aside id={DRAWER_IDS.drawer} class="sidebar" aria-label="Navigation">
      <div class="brand">
        <Mark />
        <strong>agentd</strong>
        <span class="spacer" />
        <button
          type="button"
          id={DRAWER_IDS.close}
          class="icon-button only-narrow"
          aria-label="Close navigation"
          onClick={() => (drawerOpen.value = false)}
        >
          <Icon name="close" />
        </button>
      </div>
      <button type="button" class="new-chat" onClick={newChat}>
        <Icon name="plus" />
        New chat
      </button>
      <ul class="pages">
        <PageLink page="tools" count={tools.value?.length} />
        <PageLink page="history" />
        <PageLink page="confirmations" count={pendingConfirmations.value.length || undefined} />
        <PageLink page="settings" />
      </ul>
      <SessionList />
      <Foot />
    </aside>
  );
}
