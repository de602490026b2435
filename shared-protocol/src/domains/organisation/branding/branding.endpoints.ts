import * as z from 'zod'
import { paletteContrast } from '../../../clients/palette.ts'
import { anonymous, user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import * as s from './branding.schemas.ts'

const ofOrg = { auth: [user('branding.manage')], success: [200], effect: 'write' } as const

/** How an organisation looks to candidates and members. */
export const brandingEndpoints = [
  defineEndpoint({
    id: 'branding.logo',
    method: 'GET',
    path: '/v1/orgs/{orgId}/branding/logo',
    summary: "An organisation's logo, for everybody: a PNG.",
    details: 'The address in `logo.url` may be kept for ever; without its `v` it is asked for anew each time.',
    auth: [anonymous],
    query: z.object({ v: z.string().max(64).optional().meta({ description: 'of which picture; see `logo.url`' }) }),
    response: z.any().meta({ description: 'image/png' }),
    success: [200],
    errors: ['not_found'],
    kind: 'bytes',
    mediaTypes: ['image/png'],
    effect: 'read',
  }),
  defineEndpoint({
    ...ofOrg,
    id: 'portal.branding.logo.set',
    method: 'PUT',
    path: '/v1/orgs/{orgId}/branding/logo',
    summary: 'Set the logo. Pixels only: PNG, JPEG or WebP.',
    body: s.logoUpload,
    maxBodyBytes: 3 * 1024 * 1024,
    response: s.logo,
  }),
  defineEndpoint({
    ...ofOrg,
    id: 'portal.branding.logo.remove',
    method: 'DELETE',
    path: '/v1/orgs/{orgId}/branding/logo',
    summary: 'Remove the logo; also right where there is none.',
    response: s.logoRemoved,
  }),
  defineEndpoint({
    id: 'branding.public',
    method: 'GET',
    path: '/v1/orgs/{orgId}/branding/public',
    summary: "How an organisation looks to candidates; the product's own look where it set nothing.",
    auth: [anonymous],
    response: s.publicBrand,
    success: [200],
    errors: ['not_found'],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.branding.get',
    method: 'GET',
    path: '/v1/orgs/{orgId}/branding',
    summary: 'What was set, and what comes of it.',
    auth: [user()],
    response: s.branding,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    ...ofOrg,
    id: 'portal.branding.set',
    method: 'PUT',
    path: '/v1/orgs/{orgId}/branding',
    summary: 'Replace what was set. Everybody sees it within five seconds.',
    details: `A palette in which a pair that screens show has less contrast than ${paletteContrast} : 1 is refused, with each such pair and its ratio in \`details\`.`,
    body: s.brandingBody,
    response: s.branding,
  }),
] as const
