"""Fills a Tryton database in which the modules are active: a company with accounts, a warehouse with stock, and a user.

Called with the configuration of trytond, the database and the number of products. It works on the database itself.
"""
import os
import sys
from decimal import Decimal

CONFIG, DATABASE, PRODUCTS = sys.argv[1], sys.argv[2], int(sys.argv[3])

# Both are read while the modules below are imported. The tools that make accounts stand beside Tryton's own tests, which
# want to know their database.
os.environ['TRYTOND_CONFIG'] = CONFIG
os.environ['DB_NAME'] = DATABASE

from proteus import Model, Wizard, config

from trytond.modules.account.tests.tools import (
    create_chart, create_fiscalyear, create_tax, get_accounts)
from trytond.modules.account_invoice.tests.tools import (
    create_payment_term, set_fiscalyear_invoice_sequences)
from trytond.modules.company.tests.tools import create_company, get_company
from trytond.modules.currency.tests.tools import get_currency

config.set_trytond(DATABASE, config_file=CONFIG)


def accounting():
    create_company(currency=get_currency('USD'))
    company = get_company()
    set_fiscalyear_invoice_sequences(create_fiscalyear(company)).click('create_period')
    create_chart(company)
    accounts = get_accounts(company)
    term = create_payment_term()
    term.save()
    settings = Model.get('account.configuration')(1)
    settings.default_customer_payment_term = term
    settings.save()
    sales = Model.get('sale.configuration')(1)
    sales.sale_invoice_method = 'shipment'
    sales.save()
    return accounts


def category(name, accounts, taxes=()):
    one = Model.get('product.category')(name=name, accounting=True)
    one.account_expense = accounts['expense']
    one.account_revenue = accounts['revenue']
    for tax in taxes:
        one.customer_taxes.append(tax)
    one.save()
    return one


def product(code, name, price, category, unit, type='goods', **more):
    Template = Model.get('product.template')
    one = Template(name=name, type=type, salable=True, list_price=Decimal(price))
    one.default_uom = unit
    one.account_category = category
    one.code = code
    for field, value in more.items():
        setattr(one, field, value)
    one.save()
    return one.products[0]


def units():
    Uom = Model.get('product.uom')
    unit, = Uom.find([('name', '=', 'Unit')])
    case = Uom(name='Case of 12', symbol='cs12', category=unit.category, rounding=1, digits=0)
    case.factor = 12
    case.save()
    kilogram, = Uom.find([('symbol', '=', 'kg')])
    return unit, case, kilogram


def stock(products):
    Location = Model.get('stock.location')
    storage, = Location.find([('code', '=', 'STO')])
    inventory = Model.get('stock.inventory')(location=storage)
    for one, quantity in products:
        inventory.lines.new(product=one, quantity=quantity, expected_quantity=0.0)
    inventory.click('confirm')


def walk_in():
    """The party for orders of customers whom Tryton does not know."""
    party = Model.get('party.party')(name='Marketplace', code='MARKETPLACE')
    address, = party.addresses or [party.addresses.new()]
    address.street, address.city, address.postal_code = '1 Market Street', 'Portland', '97201'
    party.save()


def payments():
    Model.get('account.payment.journal')(name='Bank', process_method='manual').save()


def bridge_user():
    """The rights that the guide names, and no others."""
    Group = Model.get('res.group')
    User = Model.get('res.user')
    names = ['Sales', 'Stock', 'Sale Amendment', 'Account', 'Payment']
    groups = [g for g in Group.find([]) if g.name in names]
    user = User(name='Stockbridge', login='stockbridge', password='Bridge-4711-xyz')
    for group in groups:
        user.groups.append(Group(group.id))
    company = get_company()
    user.companies.append(Model.get('company.company')(company.id))
    user.company = company
    user.save()


def main():
    accounts = accounting()
    tax = create_tax(Decimal('.10'))
    tax.save()
    untaxed = category('Goods', accounts)
    taxed = category('Taxed goods', accounts, [tax])
    unit, case, kilogram = units()
    stocked = []
    for number in range(1, PRODUCTS + 1):
        one = product(f'SKU-{number:04}', f'Product {number}', f'{number % 90 + 10}.5000', untaxed, unit,
            sale_uom=case if number % 5 == 0 else unit)
        stocked.append((one, 1000.0))
    stocked.append((product('TAXED-1', 'Taxed product', '10.0000', taxed, unit), 1000.0))
    stocked.append((product('LOOSE-1', 'Sold by weight', '8.0000', untaxed, kilogram), 1000.0))
    product('SHIPPING', 'Shipping', '0.0000', untaxed, unit, type='service')
    product('DISCOUNT', 'Discount', '0.0000', untaxed, unit, type='service')
    stock(stocked)
    walk_in()
    payments()
    bridge_user()


main()
