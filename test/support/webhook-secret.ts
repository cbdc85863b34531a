export const WEBHOOK_SECRET = 'a-webhook-secret-for-tests';
