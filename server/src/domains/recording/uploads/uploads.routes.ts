import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared, Reply } from '../../../kernel/handler.ts'
import { evidenceView } from '../evidence/evidence.view.ts'
import { beginUpload, discardBegin, type PreparedBegin, prepareBegin } from './uploads.begin.service.ts'
import { completeUpload, type PreparedComplete, prepareComplete } from './uploads.complete.service.ts'
import { tidyDiscarded } from './uploads.discard.service.ts'
import { type PreparedPart, preparePart, writePart } from './uploads.parts.service.ts'
import { abortUpload, uploadStatus } from './uploads.service.ts'

export const uploadsRoutes = {
  'agent.uploads.begin': prepared<EndpointMap['agent.uploads.begin'], PreparedBegin>({
    prepare: (call, input) => prepareBegin(call, { sessionId: input.params.id, body: input.body }),
    write: (call, _, begin) => beginUpload(call, begin),
    discard: (call, _, begin) => discardBegin(call, begin),
  }),
  'agent.uploads.part': prepared<EndpointMap['agent.uploads.part'], PreparedPart>({
    prepare: (call, { params, body, bytes, bytesHash }) =>
      preparePart(call, { uploadId: params.uploadId, part: { ...body, bytes, bytesHash } }),
    write: (call, _, part) => writePart(call, part),
    discard: (call, _, part) => tidyDiscarded(call, part.upload),
  }),
  'agent.uploads.status': {
    read: async (call, input) => uploadStatus(call, input.params.uploadId),
  },
  'agent.uploads.complete': prepared<EndpointMap['agent.uploads.complete'], PreparedComplete>({
    prepare: (call, input) => prepareComplete(call, input.params.uploadId),
    write: async (call, _, upload) => {
      const { row, created } = await completeUpload(call, upload)
      return new Reply(evidenceView(row), { status: created ? 201 : 200 })
    },
    discard: (call, _, upload) => tidyDiscarded(call, upload),
  }),
  'agent.uploads.abort': {
    write: async (call, input) => abortUpload(call, input.params.uploadId),
  },
} satisfies Partial<HandlerMap>
