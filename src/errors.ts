/** The errors of the service: a 503, and failures at start. */
import { HttpError } from 'fastify-openapi-first/shared'

/** 503 with the advice to try again in a second (RFC 9110, section 10.2.3). The cause is for the log only. */
export function unavailable(message: string, cause?: unknown): HttpError {
  return new HttpError(503, 'service_unavailable', message, { headers: { 'Retry-After': '1' }, cause })
}

/** True for a 503: the same request may succeed later. */
export function isUnavailable(error: unknown): error is HttpError {
  return error instanceof HttpError && error.statusCode === 503
}

/** An error that prevents the service, or a command, from starting. Each line of the message: `what is wrong; what to do`. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError'
}

/** A mistake in the configuration or the spec: the same start fails again. */
export class ConfigError extends StartupError {
  override readonly name: string = 'ConfigError'
}
