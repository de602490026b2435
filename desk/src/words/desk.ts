import { accountTexts } from '@integrity/protocol/texts/areas/account'
import { aidsTexts } from '@integrity/protocol/texts/areas/aids'
import { deskTexts } from '@integrity/protocol/texts/areas/desk'
import { deskAidsTexts } from '@integrity/protocol/texts/areas/desk-aids'
import { deskBusinessTexts } from '@integrity/protocol/texts/areas/desk-business'
import { deskConnectionsTexts } from '@integrity/protocol/texts/areas/desk-connections'
import { deskDevelopersTexts } from '@integrity/protocol/texts/areas/desk-developers'
import { deskHouseTexts } from '@integrity/protocol/texts/areas/desk-house'
import { deskIntegrationsTexts } from '@integrity/protocol/texts/areas/desk-integrations'
import { deskInterviewersTexts } from '@integrity/protocol/texts/areas/desk-interviewers'
import { deskLiveTexts } from '@integrity/protocol/texts/areas/desk-live'
import { deskPeopleTexts } from '@integrity/protocol/texts/areas/desk-people'
import { deskPlayerTexts } from '@integrity/protocol/texts/areas/desk-player'
import { deskProcessingTexts } from '@integrity/protocol/texts/areas/desk-processing'
import { deskRecordedTexts } from '@integrity/protocol/texts/areas/desk-recorded'
import { deskRequestsTexts } from '@integrity/protocol/texts/areas/desk-requests'
import { deskStatementTexts } from '@integrity/protocol/texts/areas/desk-statement'
import { deskTakeAwayTexts } from '@integrity/protocol/texts/areas/desk-take-away'
import { evidenceTexts } from '@integrity/protocol/texts/areas/evidence'
import { gapWordsTexts } from '@integrity/protocol/texts/areas/gap-words'
import { helpTexts } from '@integrity/protocol/texts/areas/help'
import { linkTexts } from '@integrity/protocol/texts/areas/link'
import { momentsTexts } from '@integrity/protocol/texts/areas/moments'
import { productTexts } from '@integrity/protocol/texts/areas/product'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the desk says, its sign-in included. */
export const deskLanguages = catalogueOf(
  productTexts,
  helpTexts,
  linkTexts,
  accountTexts,
  aidsTexts,
  deskTexts,
  deskAidsTexts,
  deskBusinessTexts,
  deskConnectionsTexts,
  deskDevelopersTexts,
  deskHouseTexts,
  deskIntegrationsTexts,
  deskInterviewersTexts,
  deskLiveTexts,
  deskPeopleTexts,
  deskPlayerTexts,
  deskProcessingTexts,
  deskRecordedTexts,
  deskRequestsTexts,
  deskStatementTexts,
  deskTakeAwayTexts,
  evidenceTexts,
  gapWordsTexts,
  momentsTexts,
)
export type DeskText = TextOf<typeof deskLanguages>

type NameBelow<Prefix extends string, Text> = Text extends `${Prefix}.${infer Name}` ? Name : never

/** The names that there are texts for below a prefix, in their order: `state.live` is `live` below `state`. */
export const namesBelow = <Prefix extends string>(prefix: Prefix): NameBelow<Prefix, DeskText>[] =>
  Object.keys(deskTexts.en)
    .filter((name) => name.startsWith(`${prefix}.`))
    .map((name) => name.slice(prefix.length + 1) as NameBelow<Prefix, DeskText>)
