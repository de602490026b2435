import { html, raw } from './html.ts'
import { definePage, type Page } from './page.ts'
import { plainPagePolicy, plainPageStyle } from './plain-page-style.ts'
import { lockedDown } from './room-pages.ts'

/** What an address of the desk is about, and what the account's page calls it. */
interface Room {
  readonly title: string
  readonly about: string
  readonly see: string
}

const rooms: readonly { readonly path: RegExp; readonly room: (id: string) => Room }[] = [
  {
    path: /^\/desk\/(?:[\w-]+\/)?interviews\/(ses_[0-9a-z]{10,40})$/,
    room: (id) => ({ title: 'An interview', about: `This link leads to the interview ${id}.`, see: `session.${id}` }),
  },
  {
    path: /^\/desk\/(?:[\w-]+\/)?review\/(ses_[0-9a-z]{10,40})$/,
    room: (id) => ({
      title: 'A report',
      about: `This link leads to the report of the interview ${id}.`,
      see: `report.${id}`,
    }),
  },
  {
    path: /^\/desk\/(?:[\w-]+\/)?requests\/(crr_[0-9a-z]{10,40})$/,
    room: (id) => ({
      title: 'A message from a candidate',
      about: `This link leads to the candidate’s statement or request ${id}.`,
      see: `candidate_request.${id}`,
    }),
  },
  {
    path: /^\/desk\/(?:[\w-]+\/)?reviews$/,
    room: () => ({ title: 'Reviews', about: 'This link leads to the list of reviews.', see: 'reviews' }),
  },
  {
    path: /^\/desk\/access-requests$/,
    room: () => ({
      title: 'Requests for access',
      about: 'This link leads to the list of those who asked for an organisation.',
      see: 'access_requests',
    }),
  },
]

const roomOf = (path: string): Room => {
  for (const { path: pattern, room } of rooms) {
    const [found, id = ''] = pattern.exec(path) ?? []
    if (found !== undefined) return room(id)
  }
  return {
    title: 'The desk',
    about: 'This link leads to the desk, where the members of an organisation review interviews.',
    see: '',
  }
}

/** Shown to anybody, so it says what the address itself says and nothing else. */
const pageFor = ({ title, about, see }: Room): Page => {
  const { markup } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${raw(plainPageStyle)}</style></head>
<body><main><h1>${title}</h1><p>${about}</p><p>This version of the service has no desk yet. Sign in to see its id and its address, and open it in the program that your organisation uses for interviews; whoever set up this service can tell you which.</p><p><a href="/account/${see === '' ? '' : `#see.${see}`}">Sign in</a></p></main></body></html>
`
  return definePage({
    ...{ type: 'text/html', bytes: Buffer.from(markup), cacheControl: 'no-cache' },
    headers: { 'Content-Security-Policy': plainPagePolicy, 'Content-Language': 'en', ...lockedDown },
  })
}

/** Where letters, chat and notes send an organisation's people: each address beneath `/desk/` has a page, none answers JSON. */
export const deskPages = (): { get(path: string): Page | undefined } => ({
  get: (path) => (path.startsWith('/desk/') ? pageFor(roomOf(path.replace(/(?<=.)\/$/, ''))) : undefined),
})
