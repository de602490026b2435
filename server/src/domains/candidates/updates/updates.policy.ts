import {
  buildArchs,
  buildPlatforms,
  compareVersions,
  invalid,
  type SecurityPolicyDocument,
  ServiceError,
  type SignedDocumentContent,
  type UpdateBuild,
  type UpdateManifestDocument,
} from '@integrity/protocol'

/** How far the clock of the machine that signed may be ahead. */
const clockToleranceMs = 5 * 60_000

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host)

/** Agents leave out what they do not know; a publication that names it is a slip of the pen. */
const checkMachine = ({ platform, arch }: UpdateBuild, path: string): void => {
  const oneOf = (value: string, known: readonly string[], field: string): void => {
    if (!known.includes(value)) throw invalid(`${path}.${field}`, `must be one of ${known.join(', ')}`)
  }
  oneOf(platform, buildPlatforms, 'platform')
  oneOf(arch, buildArchs, 'arch')
}

/** A build is fetched over TLS; only a machine's own address may do without, for trying things out. */
const checkUrl = ({ url }: UpdateBuild, path: string): void => {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:' && !isLoopback(hostname)) throw invalid(path, 'must be an https address')
}

const nameOf = ({ version, platform, arch }: UpdateBuild): string => `${version} ${platform} ${arch}`

/** What the schema cannot say: an agent that obeys this manifest can always get to a supported version. */
const checkManifest = (manifest: UpdateManifestDocument): void => {
  const { builds, latest, minimumVersion } = manifest
  if (!builds.some(({ version }) => version === latest.version))
    throw invalid('latest.version', `there is no build of ${latest.version}`)
  if (compareVersions(minimumVersion, latest.version) > 0)
    throw invalid('minimumVersion', `${minimumVersion} is newer than the latest version, ${latest.version}`)
  const seen = new Set<string>()
  for (const [index, build] of builds.entries()) {
    checkUrl(build, `builds.${index}.url`)
    checkMachine(build, `builds.${index}`)
    const name = nameOf(build)
    if (seen.has(name)) throw invalid(`builds.${index}`, `${name} is named twice`)
    seen.add(name)
    const before = builds[index - 1]
    if (before && compareVersions(before.version, build.version) < 0)
      throw invalid(`builds.${index}`, 'builds are ordered with the newest version first')
  }
}

/** Pinning without a pin pins nothing: said by mistake rather than meant. */
const checkPolicy = ({ pinning }: SecurityPolicyDocument): void => {
  if (pinning.enforced && pinning.pins.length === 0)
    throw invalid('pinning.pins', 'pinning is enforced, but no host has a pin')
  if (new Set(pinning.pins.map(({ host }) => host)).size !== pinning.pins.length)
    throw invalid('pinning.pins', 'names a host twice')
}

/** May this document be put in force now? Throws `invalid_request` with what is wrong, or `conflict`. */
export const admitDocument = (content: SignedDocumentContent, now: number): void => {
  const [issuedAt, expiresAt] = [Date.parse(content.issuedAt), Date.parse(content.expiresAt)]
  if (expiresAt <= issuedAt) throw invalid('expiresAt', 'must be after issuedAt')
  if (expiresAt <= now) throw new ServiceError('conflict', `this document expired on ${content.expiresAt}`)
  if (issuedAt > now + clockToleranceMs)
    throw invalid('issuedAt', 'lies in the future: is the clock of the machine that signed right?')
  if (content.kind === 'update_manifest') checkManifest(content)
  else checkPolicy(content)
}
