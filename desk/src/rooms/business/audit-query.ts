import type { ListQuery } from '../../data/route.ts'
import { boundsOf, isDay } from './times.ts'

/** What the audit trail is narrowed to. Days are those of UTC. */
export interface AuditChoice {
  readonly [name: string]: string
  readonly action: string
  readonly session: string
  readonly person: string
  readonly from: string
  readonly to: string
}

const actionPattern = /^[a-z][a-z0-9_]*\.[a-z0-9_.]+$/
const idOf = (kind: string) => new RegExp(`^${kind}_[\\w-]{1,60}$`)

/** What an address says; what it cannot mean is left out. */
export const choiceOf = ({ action = '', session = '', person = '', from = '', to = '' }: ListQuery): AuditChoice => ({
  action: actionPattern.test(action) ? action : '',
  session: idOf('ses').test(session) ? session : '',
  person: idOf('usr').test(person) ? person : '',
  from: isDay(from) ? from : '',
  to: isDay(to) ? to : '',
})

/** The fields that nobody can mean. */
export const wrongIn = (typed: AuditChoice): readonly string[] => {
  const known = choiceOf(typed)
  const wrong = Object.keys(known).filter((name) => typed[name] !== known[name])
  return known.from !== '' && known.to !== '' && known.from > known.to ? [...wrong, 'to'] : wrong
}

/** The filters as the service takes them; an export is of no single person. */
export const filtersOf = ({ action, session, from, to }: AuditChoice) => ({
  ...(action === '' ? {} : { action }),
  ...(session === '' ? {} : { sessionId: session }),
  ...boundsOf(from, to),
})
