import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import { licenceReader } from './licences.ts'
import { idOf, type LockedPackage, lockedPackages } from './locked-packages.ts'

/** https://github.com/package-url/purl-spec: the @ of a scope is encoded. */
const purlOf = ({ name, version }: Pick<LockedPackage, 'name' | 'version'>): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`

const licenceOf = (expression: string): Models.License => {
  if (/\s(?:OR|AND|WITH)\s/.test(expression)) return new Models.LicenseExpression(expression)
  return expression.startsWith('LicenseRef-') || expression === 'unknown'
    ? new Models.NamedLicense(expression)
    : new Models.SpdxLicense(expression)
}

const componentOf = (locked: LockedPackage, expression: string | undefined): Models.Component => {
  const component = new Models.Component(Enums.ComponentType.Library, locked.name, {
    version: locked.version,
    purl: purlOf(locked),
    bomRef: purlOf(locked),
    scope: locked.optional ? Enums.ComponentScope.Optional : Enums.ComponentScope.Required,
  })
  const [, sha512] = /^sha512-(\S+)$/.exec(locked.integrity ?? '') ?? []
  if (sha512) component.hashes.set(Enums.HashAlgorithm['SHA-512'], Buffer.from(sha512, 'base64').toString('hex'))
  if (expression !== undefined) component.licenses.add(licenceOf(expression))
  return component
}

export interface BomCall {
  readonly root: string
  /** Folder of the part of the workspace: `server`. */
  readonly part: string
  readonly version: string
  readonly madeAt: Date
}

/** The software bill of materials of one part, CycloneDX 1.6, as JSON text: what it runs with, and what asks for what. */
export const billOfMaterials = ({ root, part, version, madeAt }: BomCall): string => {
  const { name } = JSON.parse(readFileSync(join(root, part, 'package.json'), 'utf8')) as { name: string }
  const read = licenceReader(root)
  const locked = lockedPackages(root, [part])
  const own = new Models.Component(Enums.ComponentType.Application, name, {
    version,
    bomRef: purlOf({ name, version }),
    purl: purlOf({ name, version }),
  })
  own.licenses.add(new Models.SpdxLicense('Apache-2.0'))
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: own, timestamp: madeAt }) })
  const components = new Map(locked.map((one) => [idOf(one), componentOf(one, read(one)?.expression)]))
  for (const one of locked) {
    const component = components.get(idOf(one))!
    for (const need of one.needs) component.dependencies.add(components.get(need)!.bomRef)
    if (one.direct) own.dependencies.add(component.bomRef)
    bom.components.add(component)
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return serializer.serialize(bom, { sortLists: true, space: 1 })
}

/** Writes the bill of materials of a part beside its package. @returns its path */
export const writeBom = (call: BomCall & { readonly to: string }): string => {
  mkdirSync(call.to, { recursive: true })
  const file = join(call.to, `interview-integrity-${call.part.replaceAll('/', '-')}_${call.version}.cdx.json`)
  writeFileSync(file, `${billOfMaterials(call)}\n`)
  return file
}
