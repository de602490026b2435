import type { ConsentLocale } from './consent-texts.ts'
import type { AidName, Breaks, KeptAid } from './domains/interviews/sessions/sessions.aids.ts'
import type { SessionConfig } from './domains/interviews/sessions/sessions.config.ts'
import { aidsTexts } from './texts/areas/aids.ts'

/** What an aid is and what follows from it: the candidate and the organisation read the same sentence. */
export const aidText = (aid: AidName, locale: ConsentLocale = 'en'): string => aidsTexts[locale][`aid.${aid}`]

/** What was declared for a session, as everybody reads it. */
export const shownAids = ({ aids }: Pick<SessionConfig, 'aids'>, locale: ConsentLocale = 'en') =>
  aids.declared.map((one: KeptAid) => ({ ...one, text: aidText(one.aid, locale) }))

/** What is agreed to as soon as it is declared. */
export const offeredAids = ({ aids }: Pick<SessionConfig, 'aids'>, locale: ConsentLocale = 'en') => ({
  offered: aids.offered.map((aid) => ({ aid, text: aidText(aid, locale) })),
  breaks: aids.offered.includes('breaks') ? aids.breaks : null,
})

/** The breaks that were agreed for a session; undefined without any. */
export const agreedBreaks = ({ aids }: Pick<SessionConfig, 'aids'>): Breaks | undefined =>
  aids.declared.find(({ aid, state }) => aid === 'breaks' && state === 'agreed')?.breaks ?? undefined
