import type { ReactNode } from 'react'

/** What kind of a page it is, before a word of it is read. */
export type SignName = 'wait' | 'done' | 'off' | 'trouble' | 'info'

const signs: Readonly<Record<SignName, ReactNode>> = {
  wait: <path d="M20 11v9l6 4" />,
  done: <path d="M12 21l6 6 11-13" />,
  off: <path d="M12 20h16" />,
  trouble: <path d="M20 11v11M20 27v2" />,
  info: <path d="M20 19v10M20 12v2" />,
}

export const Sign = ({ name }: { readonly name: SignName }) => (
  <svg className={`sign ${name}`} viewBox="0 0 40 40" aria-hidden="true">
    <g fill="none" stroke="currentColor" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round">
      <circle cx="20" cy="20" r="17" />
      {signs[name]}
    </g>
  </svg>
)
