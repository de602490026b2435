import type { EndpointSpec } from '@integrity/protocol'
import Router from '@koa/router'

const segmentsOf = (path: string): string[] => path.split('/').slice(1)
const isParam = (segment: string | undefined): boolean => segment?.startsWith('{') ?? false

/**
 * The bucket of a path: its length, its resource and the static word behind the first parameter. `@koa/router` tries
 * its routes one after the other, so each bucket gets a router of its own and holds a handful of routes.
 */
const bucket = (segments: readonly string[], sub: string | undefined): string => {
  const base = segments[1] === 'api' ? 2 : 1
  return `${segments.length} ${segments[base - 1]} ${segments[base]} ${sub ?? ''}`
}
const subOf = (segments: readonly string[]): string | undefined => segments[segments[1] === 'api' ? 4 : 3]

export interface Route {
  readonly endpoint: EndpointSpec
  readonly params: Readonly<Record<string, string>>
}
export interface RouteTable {
  /** The endpoint of a path, or the methods the path knows, or `undefined` for an unknown path. */
  find(method: string, path: string): Route | { readonly allowed: readonly string[] } | undefined
}

const decode = (text: string): string => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    // A broken escape is nobody's id: the lookup will say not found.
    return text
  }
}

export const createRoutes = (endpoints: readonly EndpointSpec[]): RouteTable => {
  const buckets = new Map<string, Router>()
  const byName = new Map<string, EndpointSpec>()
  for (const endpoint of endpoints) {
    const segments = segmentsOf(endpoint.path)
    const sub = subOf(segments)
    const key = bucket(segments, isParam(sub) ? '*' : sub)
    const router = buckets.get(key) ?? new Router({ sensitive: true })
    buckets.set(key, router)
    const pattern = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
    const layer = router.register(pattern, [endpoint.method], [async () => {}], { name: endpoint.id })
    // Who only looks must change nothing.
    if (endpoint.usesUp) layer.methods = layer.methods.filter((method) => method !== 'HEAD')
    byName.set(endpoint.id, endpoint)
  }
  // Static paths before parameters of the same shape, whatever the order of declaration (`/join` before `/{id}`).
  for (const router of buckets.values())
    router.stack.sort((a, b) => String(a.path).split(':').length - String(b.path).split(':').length)
  const inBucket = (key: string, method: string, path: string, allowed: string[]): Route | undefined => {
    const router = buckets.get(key)
    if (!router) return undefined
    for (const layer of router.stack) {
      const found = layer.regexp.exec(path)
      if (!found) continue
      const endpoint = layer.methods.includes(method) ? byName.get(layer.name ?? '') : undefined
      if (!endpoint) {
        allowed.push(...layer.methods)
        continue
      }
      const params: Record<string, string> = {}
      for (const [index, { name }] of layer.paramNames.entries()) params[name] = decode(found[index + 1] ?? '')
      return { endpoint, params }
    }
    return undefined
  }
  return {
    find(method, path) {
      const segments = segmentsOf(path)
      const allowed: string[] = []
      const route =
        inBucket(bucket(segments, subOf(segments)), method, path, allowed) ??
        inBucket(bucket(segments, '*'), method, path, allowed)
      if (route) return route
      return allowed.length > 0 ? { allowed: [...new Set(allowed)].sort() } : undefined
    },
  }
}
