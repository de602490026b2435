import type { UpdateBuild } from '@integrity/protocol'

/** A build that is on disk, with the right hash when it was fetched. It is looked at again before it is run. */
export interface ReadyUpdate {
  readonly version: string
  readonly path: string
  readonly platform: string
  /** Lower-case hexadecimal digits. */
  readonly sha512: string
}

/** How far an update is. `refused.why` is a sentence for people. */
export type UpdateProgress =
  | { readonly kind: 'none' }
  | { readonly kind: 'available'; readonly build: UpdateBuild }
  | { readonly kind: 'downloading'; readonly version: string; readonly received: number; readonly total: number }
  | { readonly kind: 'ready'; readonly update: ReadyUpdate }
  | { readonly kind: 'refused'; readonly why: string }

/**
 * What the shell shows. `below_minimum`: the operator no longer supports the running version; `canUpdate` says whether
 * a supported build for this machine is offered, and `progress` how far it is. The shell asks for the update before a
 * session is joined; a session in progress goes on whatever this says.
 */
export type UpdateState =
  | UpdateProgress
  | {
      readonly kind: 'below_minimum'
      readonly current: string
      readonly minimum: string
      readonly canUpdate: boolean
      readonly progress: UpdateProgress
    }
