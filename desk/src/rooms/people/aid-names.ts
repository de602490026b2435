import { deskPeoplePagesTexts } from '@integrity/protocol/texts/areas/desk-people-pages'
import type { ReadResult } from '../../data/desk-api.ts'

export type Aid = ReadResult<'portal.policies.get'>['config']['aids']['offered'][number]

const prefix = 'peopleAid.'

/** What a candidate may declare, in the order of the contract. */
export const aidNames: readonly Aid[] = Object.keys(deskPeoplePagesTexts.en)
  .filter((name) => name.startsWith(prefix))
  .map((name) => name.slice(prefix.length) as Aid)
