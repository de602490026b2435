import type { ReadResult } from '../../data/desk-api.ts'
import type { DeskText } from '../../words/desk.ts'

export type Key = ReadResult<'portal.apiKeys.list'>['items'][number]
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
