import type { ObjectStore } from '../storage/types.ts'
import { noTraces, type Traces } from './traces.ts'

/** The store with a span where an object comes into its place, at once or as the end of an upload in parts. */
export const tracedStore = (store: ObjectStore, traces: Traces): ObjectStore =>
  traces === noTraces
    ? store
    : {
        open: (key) => store.open(key),
        remove: (key) => store.remove(key),
        exists: (key) => store.exists(key),
        list: (orgId, page) => store.list(orgId, page),
        removeStaleTemporaries: (before) => store.removeStaleTemporaries(before),
        probe: () => store.probe(),
        put: (...given) => traces.step({ kind: 'storage', name: 'storage.put' }, () => store.put(...given)),
        openSegmented: async (key, options) => {
          const writer = await store.openSegmented(key, options)
          return {
            size: writer.size,
            finished: writer.finished,
            read: (...range) => writer.read(...range),
            isUntouched: (...range) => writer.isUntouched(...range),
            writeAt: (...given) => writer.writeAt(...given),
            sync: () => writer.sync(),
            confirm: () => writer.confirm(),
            finish: () => traces.step({ kind: 'storage', name: 'storage.finish' }, () => writer.finish()),
            discard: () => writer.discard(),
            close: () => writer.close(),
          }
        },
      }
