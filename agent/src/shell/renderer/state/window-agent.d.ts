/** What the preload, or a test, gives the window. */
interface Window {
  readonly agent?: import('../../../shared/ipc/channels.ts').AgentBridge
}
