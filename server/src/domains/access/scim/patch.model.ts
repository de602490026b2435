import { scimUrns } from '@integrity/protocol'
import { scimFault } from './faults.model.ts'
import { type Filter, matches, parseFilter } from './filter.model.ts'
import { type Budget, budgetOf, type PatchOperation, together } from './patch.work.model.ts'

type Json = Record<string, unknown>

/** Where an operation points to: an attribute (of an extension), some of its elements, and one of their fields. */
interface Target {
  readonly extension: string | undefined
  readonly name: string
  readonly filter: Filter | undefined
  readonly field: string | undefined
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Names compare without case (RFC 7643, section 2.1); what nobody knows is kept as it came and left out later. */
const known = new Map(
  [
    ...['userName', 'externalId', 'active', 'name', 'displayName', 'title', 'userType', 'preferredLanguage', 'locale'],
    ...['timezone', 'emails', 'members', 'formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix'],
    ...['honorificSuffix', 'employeeNumber', 'costCenter', 'organization', 'division', 'department', 'manager'],
    ...['value', 'type', 'display', 'primary', 'id', 'meta', 'groups', 'schemas', scimUrns.enterprise],
  ].map((name) => [name.toLowerCase(), name]),
)
const named = (name: string): string => known.get(name.toLowerCase()) ?? name
const isProto = (name: string): boolean => ['__proto__', 'constructor', 'prototype'].includes(name)

const readOnly: ReadonlySet<string> = new Set(['id', 'meta', 'groups', 'schemas'])
const multiValued: ReadonlySet<string> = new Set(['emails', 'members'])

const urns = [scimUrns.user, scimUrns.group, scimUrns.enterprise]

const parsePath = (text: string): Target => {
  const lower = text.toLowerCase()
  const urn = urns.find(
    (candidate) => lower === candidate.toLowerCase() || lower.startsWith(`${candidate.toLowerCase()}:`),
  )
  const extension = urn === scimUrns.enterprise ? urn : undefined
  const rest = urn === undefined ? text : text.slice(urn.length + 1)
  if (rest === '') {
    if (extension) return { extension: undefined, name: extension, filter: undefined, field: undefined }
    throw scimFault('invalidPath', 'path: it names no attribute')
  }
  const found = /^([\w$-]+)(?:\[(.*)\])?(?:\.([\w$-]+))?$/s.exec(rest)
  // Another maker's extension: kept by nobody.
  if (!found && /^urn:/i.test(rest)) return { extension: undefined, name: rest, filter: undefined, field: undefined }
  if (!found || isProto(found[1]!) || isProto(found[3] ?? '')) throw scimFault('invalidPath', 'path: it cannot be read')
  const [, name = '', filter, field] = found
  return {
    extension,
    name: named(name),
    filter: filter === undefined ? undefined : parseFilter(filter, 'invalidPath'),
    field: field === undefined ? undefined : named(field),
  }
}

/** No field of an element that is kept is longer. */
const maxText = 1000

/** What of an element can be kept, under its usual names. Each operation walks all elements, so that none may be large. */
const elementOf = (given: unknown): Json => {
  const element: Json = {}
  for (const [name, value] of Object.entries(isObject(given) ? given : { value: given })) {
    const field = known.get(name.toLowerCase())
    if (field === undefined) continue
    if (Array.isArray(value) || isObject(value) || (typeof value === 'string' && value.length > maxText))
      throw scimFault('invalidValue', `${field}: must be a text of at most ${maxText} characters`)
    element[field] = value
  }
  return element
}
const elementsOf = (value: unknown): Json[] => (Array.isArray(value) ? value : [value]).map(elementOf)
/** An element is its value: what is left without one is gone, and null is none (RFC 7643, section 2.5). */
const hasValue = ({ value }: Json): boolean => value !== undefined && value !== null && value !== ''
const renamed = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => (isProto(name) ? [] : [[named(name), inner]])))

/** What makes a new element match: `type eq "home"` says its type. */
const impliedBy = (filter: Filter): Json => {
  if ('parts' in filter) return filter.kind === 'and' ? (Object.assign({}, ...filter.parts.map(impliedBy)) as Json) : {}
  return filter.kind === 'compare' && filter.test === 'eq' ? { [named(filter.path)]: filter.value } : {}
}

/** Elements with the same value and type are one. */
const keyOf = ({ value, type }: Json): string => JSON.stringify([String(value).toLowerCase(), type ?? null])

const listAt = (holder: Json, name: string): Json[] => (holder[name] as Json[] | undefined) ?? []

/** Only one element is the primary one (RFC 7643, section 2.4): the newest that says so. */
const withOnePrimary = (list: Json[], added: readonly Json[]): Json[] => {
  const chosen = added.findLast(({ primary }) => primary === true || primary === 'true' || primary === 'True')
  return chosen === undefined
    ? list
    : list.map((item) => (item === chosen || !item['primary'] ? item : { ...item, primary: false }))
}

const setValue = (holder: Json, name: string, value: unknown, op: 'add' | 'replace'): void => {
  if (multiValued.has(name)) {
    const given = elementsOf(value)
    const before = op === 'add' ? listAt(holder, name) : []
    const replaced = new Set(given.map(keyOf))
    const kept = before.filter((old) => !replaced.has(keyOf(old)))
    holder[name] = withOnePrimary([...kept, ...given], given)
  } else if (isObject(value) && isObject(holder[name])) Object.assign(holder[name], renamed(value))
  else holder[name] = isObject(value) ? renamed(value) : value
}

const setInElements = (holder: Json, { name, filter, field }: Target, value: unknown, op: 'add' | 'replace'): void => {
  const before = listAt(holder, name)
  const given = elementOf(field === undefined ? value : { [field]: value })
  const isHit = before.map((element) => filter === undefined || matches(filter, element))
  if (!isHit.includes(true)) {
    // Entra replaces what is not there yet; only a filter that says what it should be can be followed.
    const implied = filter ? impliedBy(filter) : {}
    if (filter && Object.keys(implied).length === 0 && op === 'replace')
      throw scimFault('noTarget', 'path: nothing matches its filter')
    holder[name] = withOnePrimary([...before, { ...implied, ...given }], [])
    return
  }
  const changed = before.map((element, index) => (isHit[index] ? { ...element, ...given } : element))
  holder[name] = withOnePrimary(
    changed,
    changed.filter((_element, index) => isHit[index]),
  )
}

const removeAt = (holder: Json, { name, filter, field }: Target, value: unknown): void => {
  if (!multiValued.has(name)) {
    if (field !== undefined && isObject(holder[name])) delete holder[name][field]
    else if (field === undefined) delete holder[name]
    return
  }
  // Entra names the members to remove in the value instead of the path.
  const given = value === undefined || value === null ? undefined : elementsOf(value)
  const values = given && new Set(given.map((one) => String(one['value'])))
  const gone = (element: Json): boolean =>
    filter ? matches(filter, element) : (values?.has(String(element['value'])) ?? true)
  const before = listAt(holder, name)
  holder[name] =
    field === undefined
      ? before.filter((element) => !gone(element))
      : before.map((element) => {
          if (!gone(element)) return element
          const { [field]: _field, ...rest } = element
          return rest
        })
}

const changeAt = (holder: Json, op: string, target: Target, value: unknown, budget: Budget): void => {
  if (multiValued.has(target.name)) budget.spend(holder[target.name], value)
  const verb = op === 'add' ? 'add' : 'replace'
  const isInElements = target.filter !== undefined || (target.field !== undefined && multiValued.has(target.name))
  const inner = holder[target.name]
  if (op === 'remove') removeAt(holder, target, value)
  else if (isInElements) setInElements(holder, target, value, verb)
  else if (target.field === undefined) setValue(holder, target.name, value, verb)
  else if (isObject(inner)) inner[target.field] = value
  else holder[target.name] = { [target.field]: value }
}

const applyAt = (resource: Json, op: string, path: string, value: unknown, budget: Budget): void => {
  const target = parsePath(path)
  if (readOnly.has(target.name)) {
    // Okta sends the id along with a rename.
    if (target.name === 'id' || target.name === 'schemas') return
    throw scimFault('mutability', `path: ${target.name} cannot be changed`)
  }
  let holder = resource
  if (target.extension) {
    // No extension that is kept has a list.
    if (multiValued.has(target.name)) return
    const inner = resource[target.extension]
    holder = isObject(inner) ? inner : {}
    resource[target.extension] = holder
  }
  changeAt(holder, op, target, value, budget)
}

/** Without a path the value holds the attributes, whose names may themselves be paths (Entra: `name.givenName`, a URN). */
const applyWhole = (resource: Json, op: string, value: unknown, budget: Budget): void => {
  if (op === 'remove') throw scimFault('noTarget', 'path: remove needs one')
  if (!isObject(value)) throw scimFault('invalidValue', 'value: without a path it must be an object')
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'meta' || name === 'groups') continue
    applyAt(resource, op, name, inner, budget)
  }
}

/** The resource after the operations of a PATCH (RFC 7644, section 3.5.2), to be checked like one that was sent whole. */
export const patched = (resource: Readonly<Json>, operations: readonly PatchOperation[]): Json => {
  const after: Json = structuredClone(resource)
  const budget = budgetOf()
  for (const { op, path, value } of together(operations)) {
    const verb = op.toLowerCase()
    if (!['add', 'replace', 'remove'].includes(verb))
      throw scimFault('invalidValue', 'op: it is add, replace or remove')
    if (path === undefined || path === null || path === '') applyWhole(after, verb, value, budget)
    else applyAt(after, verb, path, value, budget)
  }
  // At the end: a field may be set before the value of its element.
  for (const name of multiValued) if (Array.isArray(after[name])) after[name] = listAt(after, name).filter(hasValue)
  return after
}
