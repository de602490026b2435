import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared, Reply } from '../../kernel/handler.ts'
import { evidenceView } from '../evidence/evidence.service.ts'
import { beginUpload, discardBegin, type PreparedBegin, prepareBegin } from './uploads.begin.service.ts'
import { completeUpload, prepareComplete } from './uploads.complete.service.ts'
import { tidyDiscarded } from './uploads.discard.service.ts'
import { type PreparedPart, preparePart, writePart } from './uploads.parts.service.ts'
import { abortUpload, uploadStatus } from './uploads.service.ts'
import type { UploadRow } from './uploads.store.ts'

export const uploadsRoutes = {
  'agent.uploads.begin': prepared<EndpointMap['agent.uploads.begin'], PreparedBegin>({
    prepare: ({ app, scope, actor, input }) => prepareBegin(app, scope, actor, input.params.id, input.body),
    write: ({ app, tx, scope, actor }, begin) => beginUpload(app, tx, scope, actor, begin),
    discard: ({ app, scope }, begin) => discardBegin(app, scope, begin),
  }),
  'agent.uploads.part': prepared<EndpointMap['agent.uploads.part'], PreparedPart>({
    prepare: ({ app, scope, actor, input: { params, body, bytes } }) =>
      preparePart(app, scope, actor, params.uploadId, { ...body, bytes }),
    write: ({ app, tx, scope, actor }, part) => writePart(app, tx, scope, actor, part),
    discard: ({ app, scope }, part) => tidyDiscarded(app, scope, part.upload),
  }),
  'agent.uploads.status': {
    read: async ({ app, scope, actor, input }) => uploadStatus(app, scope, actor, input.params.uploadId),
  },
  'agent.uploads.complete': prepared<EndpointMap['agent.uploads.complete'], UploadRow>({
    prepare: ({ app, scope, actor, input }) => prepareComplete(app, scope, actor, input.params.uploadId),
    write: async ({ app, tx, scope, actor }, upload) => {
      const { row, created } = await completeUpload(app, tx, scope, actor, upload)
      return new Reply(evidenceView(row), { status: created ? 201 : 200 })
    },
    discard: ({ app, scope }, upload) => tidyDiscarded(app, scope, upload),
  }),
  'agent.uploads.abort': {
    write: async ({ app, tx, scope, actor, input }) => abortUpload(app, tx, scope, actor, input.params.uploadId),
  },
} satisfies Partial<HandlerMap>
