import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import * as s from './storage.schemas.ts'

const all = '/v1/orgs/{orgId}/storage'
const managed = { auth: [user('storage.manage')], success: [200] } as const

/** Where an organisation's evidence lies, and its way from one place to another. */
export const storageEndpoints = [
  defineEndpoint({
    ...managed,
    id: 'portal.storage.get',
    method: 'GET',
    path: all,
    summary: 'Where new objects of the organisation go.',
    response: s.storage,
    effect: 'read',
  }),
  defineEndpoint({
    ...managed,
    id: 'portal.storage.put',
    method: 'PUT',
    path: all,
    summary: 'Choose where new objects go. It is tried with these credentials first, and refused if anything fails.',
    details:
      'What is stored already stays where it is, and is found there, until a migration moves it. Credentials are kept sealed, and never shown again.',
    body: s.storagePut,
    response: s.storage,
    effect: 'write',
  }),
  defineEndpoint({
    ...managed,
    id: 'portal.storage.validate',
    method: 'POST',
    path: `${all}/validate`,
    summary: 'Test the current storage again with the stored credentials. The answer says what works.',
    response: s.storage,
    effect: 'write',
  }),
  defineEndpoint({
    ...managed,
    id: 'portal.storage.migrate',
    method: 'POST',
    path: `${all}/migrate`,
    summary: 'Move objects that lie elsewhere to the place in use, or go on with it. Bounded for each call.',
    details:
      'Each object is read back where it lies then, and deleted where it was only after that. It can be opened throughout. ' +
      'A legal hold does not stop it, as nothing is deleted by it; in a bucket of your own the hold binds this service alone: ' +
      'whoever owns the bucket keeps its objects by the lock of the bucket (S3 Object Lock, an immutable container).',
    body: s.migrateBody,
    bodyOptional: true,
    response: s.migrationRun,
    effect: 'write',
  }),
  defineEndpoint({
    ...managed,
    id: 'portal.storage.migration',
    method: 'GET',
    path: `${all}/migration`,
    summary: 'The progress of the latest migration.',
    response: s.migration,
    effect: 'read',
  }),
] as const
