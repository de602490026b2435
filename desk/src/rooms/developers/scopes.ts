import type { DeskText } from '../../words/desk.ts'
import type { Key } from './keys-table.tsx'

export type Scope = Key['scopes'][number]

/** What each scope allows, as a sentence. */
export const scopeTexts: Readonly<Record<Scope, DeskText>> = {
  'org:read': 'developersScope.org:read',
  'sessions:read': 'developersScope.sessions:read',
  'sessions:write': 'developersScope.sessions:write',
  'evidence:read': 'developersScope.evidence:read',
  'reports:read': 'developersScope.reports:read',
  'webhooks:read': 'developersScope.webhooks:read',
  'webhooks:write': 'developersScope.webhooks:write',
  'events:read': 'developersScope.events:read',
}

export const scopes = Object.keys(scopeTexts) as readonly Scope[]
