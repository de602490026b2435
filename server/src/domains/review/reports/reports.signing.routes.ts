import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared } from '../../../kernel/handler.ts'
import type { AnnotatedMoment } from '../notes/notes.types.ts'
import { annotate, findAnnotated } from './annotating.service.ts'
import { annotationView } from './annotations.view.ts'
import { signReport } from './signing.service.ts'

export const reportsSigningRoutes = {
  'portal.report.signOff': {
    write: (call, { params, body }) => signReport(call, { sessionId: params.id, body }),
  },
  'portal.coverage.annotate': prepared<EndpointMap['portal.coverage.annotate'], AnnotatedMoment>({
    prepare: (call, { params, body }) => findAnnotated(call, { sessionId: params.id, body }),
    write: async (call, { params, body }, moment) =>
      annotationView(await annotate(call, { sessionId: params.id, body, moment })),
  }),
} satisfies Partial<HandlerMap>
