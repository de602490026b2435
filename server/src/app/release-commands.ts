import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import {
  buildArchs,
  buildPlatforms,
  ServiceError,
  type UpdateBuild,
  updateApps,
  updateChannels,
  versionPattern,
} from '@integrity/protocol'
import { nextManifest } from '../domains/candidates/updates/updates.compose.model.ts'
import { listPublished, manifestInForce, type Published } from '../domains/candidates/updates/updates.service.ts'
import type { Parts } from '../kernel/parts.ts'
import { type Command, flag, many, oneOf, text } from './admin-command.ts'
import { lifetimeMs, signingCommands, signingOptions } from './signing.ts'

export const releaseUsage = `  release publish --app APP [--channel CHANNEL] --version V --minimum V --build PLATFORM,ARCH,URL,FILE --key KEYFILE
      [--build …] [--notes TEXT] [--withdraw V …] [--expires-days 30] [--json]
      Signs and publishes the next update manifest. Size and SHA-512 of a build are taken from FILE. Without --version and
      --build the builds stay: to renew before it expires, to raise --minimum, or to withdraw a version.
  release publish --document FILE --signature FILE.minisig [--json]
      Publishes a manifest that was signed elsewhere.
  release print (as publish, without --key)
      Writes the manifest to be signed elsewhere.
  release list [--json]
      What is in force.`

const options = {
  ...signingOptions,
  app: text,
  channel: text,
  version: text,
  minimum: text,
  build: many,
  withdraw: many,
  notes: text,
  json: flag,
} as const
const read = (args: string[]) => parseArgs({ args, options }).values
type Values = ReturnType<typeof read>

const hashFile = async (file: string): Promise<{ sizeBytes: number; sha512: string }> => {
  const hash = createHash('sha512')
  let sizeBytes = 0
  try {
    await pipeline(createReadStream(file), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        sizeBytes += chunk.length
        hash.update(chunk)
      }
    })
  } catch (error) {
    throw new ServiceError('invalid_request', `cannot read ${file}: ${(error as Error).message}`, { cause: error })
  }
  if (sizeBytes === 0) throw new ServiceError('invalid_request', `${file} is empty`)
  return { sizeBytes, sha512: hash.digest('hex') }
}

/** `linux,x64,URL,FILE`: the rest of the text is the file's name, whatever it holds. */
const readBuild = async (
  given: string,
  about: Omit<UpdateBuild, 'platform' | 'arch' | 'url' | 'sizeBytes' | 'sha512'>,
) => {
  const [, platform, arch, url = '', file = ''] = /^([^,]*),([^,]*),([^,]+),(.+)$/s.exec(given) ?? []
  if (file === '') throw new ServiceError('invalid_request', `--build must be PLATFORM,ARCH,URL,FILE (is ${given})`)
  return {
    ...about,
    platform: oneOf('build PLATFORM', platform, buildPlatforms),
    arch: oneOf('build ARCH', arch, buildArchs),
    url,
    ...(await hashFile(file)),
  }
}

const compose = async (app: Parts, values: Values) => {
  const now = app.clock.now()
  const lifetime = lifetimeMs(values)
  const which = {
    app: oneOf('app', values.app, updateApps),
    channel: oneOf('channel', values.channel ?? 'stable', updateChannels),
  }
  const { version, minimum, notes, build = [], withdraw = [] } = values
  if (build.length > 0 && version === undefined)
    throw new ServiceError('invalid_request', 'missing: --version (of the builds)')
  if (version !== undefined && !versionPattern.test(version))
    throw new ServiceError('invalid_request', `--version must be a version such as 1.4.0 (is ${version})`)
  const about = {
    version: version ?? '',
    releasedAt: new Date(now).toISOString(),
    ...(notes === undefined ? {} : { notes }),
  }
  const builds: UpdateBuild[] = []
  for (const given of build) builds.push(await readBuild(given, about))
  const before = await manifestInForce({ reader: app.db.reader }, { app: which.app, channel: which.channel })
  return nextManifest(before?.content, { ...which, version, minimum, builds, withdraw }, { now, lifetimeMs: lifetime })
}

const { publish, print } = signingCommands({ kind: 'update_manifest', read, compose })

const describe = ({ row, content }: Published): string => {
  const until = `signed by ${row.keyId}, until ${content.expiresAt}`
  if (content.kind === 'security_policy')
    return `${row.series}  ${row.sequence}  pinning ${content.pinning.enforced ? 'on' : 'off'}  ${until}`
  const builds = content.builds.map(({ version, platform, arch }) => `${version} ${platform} ${arch}`).join(', ')
  return `${row.series}  ${row.sequence}  latest ${content.latest.version}, minimum ${content.minimumVersion}  ${until}\n  ${builds}`
}

const list: Command = async ({ app, print: say }, args) => {
  const { values } = parseArgs({ args, options: { json: flag } })
  const published = await listPublished({ reader: app.db.reader })
  if (values.json) say(JSON.stringify(published.map(({ row, content }) => ({ keyId: row.keyId, ...content }))))
  else if (published.length === 0) say('nothing was published yet')
  else for (const one of published) say(describe(one))
  return 0
}

export const releaseCommands: Readonly<Record<string, Command>> = {
  'release publish': publish,
  'release print': print,
  'release list': list,
}
