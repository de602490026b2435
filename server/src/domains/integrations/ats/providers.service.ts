import { type AtsCredentials, type AtsProvider, atsCredentials, invalid, type StageProvider } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { createAshby, readAshby } from '../../../platform/ats/ashby.ts'
import { createGreenhouse, GreenhouseTokens, readGreenhouse } from '../../../platform/ats/greenhouse.ts'
import { createLever, readLever } from '../../../platform/ats/lever.ts'
import { createTeamtailor, readTeamtailor } from '../../../platform/ats/teamtailor.ts'
import type { Ats, AtsNews, SignedMessage } from '../../../platform/ats/types.ts'
import { inWords, misfitsOf } from '../../../platform/schema-words.ts'
import type { ConnectionRow } from './ats.types.ts'

/** Of this process: another one gets its own. */
const tokens = new GreenhouseTokens()

const contextOf = (what: 'credentials' | 'secret' | 'news' | 'callback', orgId: string, id: string): string =>
  `ats ${what}:${orgId}:${id}`

interface SealInput {
  readonly what: Parameters<typeof contextOf>[0]
  readonly orgId: string
  readonly id: string
  readonly value: unknown
}

export const seal = (call: Needs<'keyring'>, { what, orgId, id, value }: SealInput): string =>
  call.keyring.wrap(Buffer.from(JSON.stringify(value), 'utf8'), contextOf(what, orgId, id))

interface UnsealInput {
  readonly what: Parameters<typeof contextOf>[0]
  readonly orgId: string
  readonly id: string
  readonly wrapped: string
}

export const unseal = (call: Needs<'keyring'>, { what, orgId, id, wrapped }: UnsealInput): unknown =>
  JSON.parse(call.keyring.unwrap(wrapped, contextOf(what, orgId, id)).toString('utf8'))

/** @throws ServiceError naming the field */
export const readCredentials = <P extends AtsProvider>(provider: P, given: unknown): AtsCredentials<P> => {
  const known = atsCredentials[provider].strict().safeParse(given, inWords)
  if (known.success) return known.data as AtsCredentials<P>
  const [issue] = known.error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const [misfit] = misfitsOf(known.error.issues)
  const path = ['credentials', ...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].join('.')
  throw invalid(path, unknown === undefined ? (misfit?.message ?? 'is not as it should be') : 'is not known')
}

const credentialsOf = <P extends AtsProvider>(
  call: Needs<'keyring'>,
  orgId: string,
  row: Pick<ConnectionRow, 'id' | 'wrappedCredentials'>,
  provider: P,
): AtsCredentials<P> =>
  readCredentials(
    provider,
    unseal(call, { what: 'credentials', orgId, id: row.id, wrapped: row.wrappedCredentials ?? '' }),
  )

/** The system of a connection that has its credentials still. */
export const atsOf = (
  call: Needs<'clock' | 'config' | 'httpOut' | 'keyring'>,
  {
    orgId,
    row,
  }: { readonly orgId: string; readonly row: Pick<ConnectionRow, 'id' | 'provider' | 'wrappedCredentials'> },
): Ats => {
  const { httpOut: http, config, clock } = call
  const place = { http, addresses: config.ats }
  switch (row.provider) {
    case 'greenhouse':
      return createGreenhouse(credentialsOf(call, orgId, row, 'greenhouse'), {
        ...place,
        tokens,
        now: () => clock.now(),
      })
    case 'lever':
      return createLever(credentialsOf(call, orgId, row, 'lever'), place)
    case 'ashby':
      return createAshby(credentialsOf(call, orgId, row, 'ashby'), place)
    case 'teamtailor':
      return createTeamtailor(credentialsOf(call, orgId, row, 'teamtailor'), place)
    case 'greenhouse_assessment':
      throw new Error('Greenhouse asks for assessments; it is not asked')
  }
}

const readers: Readonly<Record<StageProvider, (secret: string, message: SignedMessage) => AtsNews>> = {
  greenhouse: readGreenhouse,
  lever: readLever,
  ashby: readAshby,
  teamtailor: readTeamtailor,
}

/** What a webhook says, once its signature holds. @throws ServiceError `unauthorized` */
export const newsOf = (
  provider: StageProvider,
  { secret, message }: { readonly secret: string; readonly message: SignedMessage },
): AtsNews => readers[provider](secret, message)
