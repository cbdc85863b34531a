/** The example that the contract of the configuration shows. */
export const CONTRACT = `version: 1
mode: live                        # dry-run: observe and plan, write nothing
state: { dir: data }              # sqlite at data/stockbridge.db; redis: redis://... to use your own
webhooks: { listen: 0.0.0.0:8080 }
admin: { listen: 127.0.0.1:9090, operator_token: \${env:ADMIN_TOKEN}, viewer_token: \${env:VIEWER_TOKEN} }
accounts:
  main:
    marketplace:
      base_url: https://marketplace.example        # the API is at {base_url}/api/v2
      version: 2022-10-31                           # sent as the Service-Version header (name is a setting)
      auth: { scheme: app, key: \${env:MARKETPLACE_KEY} }     # or { scheme: bearer, token: ... }
      seller_id: 4711
      external_id_key: stockbridge
      limits: { per_second: 8, per_minute: 300 }
      poll: { orders: 15s, products: 5m, overlap: 2m, full: "15 3 * * *" }
      webhooks: { secret: \${env:WEBHOOK_SECRET}, header: Service-Signature, algorithm: hmac-sha256, encoding: base64 }
      transitions: { fulfill: fulfill }             # only fulfill is documented; others work once named here
    erp: { type: http, url: https://erp.example, token: \${env:ERP_TOKEN}, poll: 15s }
    inventory:
      strategy: submitted-available  # a fulfilled-quantity | b submitted-available | c submitted-quantity (a, b, c also accepted)
      buffer: 0
      line_quantity_in: units        # units | cases
    products: { create: true, archive: true }
    orders: { on_unmapped_product: hold, on_unmapped_customer: create }   # hold | create | pass (send the name only)
    brakes: { archive: { count: 10, percent: 5 }, zero: { count: 20, percent: 20 }, price: { percent: 50 }, reject: { count: 10 } }
`;
