import { createHash } from 'node:crypto'
import { pageColours, type Scheme } from '@integrity/protocol/clients/tokens'

const shades = (scheme: Scheme): string =>
  Object.entries(pageColours)
    .map(([name, [light, dark]]) => `--${name}:${scheme === 'light' ? light : dark}`)
    .join(';')

/** The style of a page with a few sentences and one link. */
export const plainPageStyle = `:root{color-scheme:light dark;${shades('light')}}
@media (prefers-color-scheme:dark){:root{${shades('dark')}}}
body{margin:0;padding:48px 20px;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:440px;margin:0 auto;padding:24px;background:var(--surface);border:1px solid var(--edge);border-radius:12px}
h1{margin:0 0 12px;font-size:25.6px;line-height:1.25}
a{display:inline-block;margin:8px 0 16px;padding:11px 20px;background:var(--accent);color:var(--onAccent);border-radius:8px;text-decoration:none}
a:focus-visible{outline:3px solid var(--text);outline-offset:2px}
svg{display:block;width:40px;height:40px;margin-bottom:8px;color:var(--amber)}
small{color:var(--soft);overflow-wrap:anywhere}`

/** The content policy of such a page, which allows this style and nothing else. */
export const plainPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(plainPageStyle).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
