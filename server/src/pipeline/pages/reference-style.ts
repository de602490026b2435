/** Fonts of the reader's own system, and a calm page before the viewer is there. */
export const referenceStyle = `:root {
  --scalar-font: system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif;
  --scalar-font-code: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
body { margin: 0; }
.plain { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; }
`
