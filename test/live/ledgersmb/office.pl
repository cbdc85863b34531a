# What people do in LedgerSMB, by the modules that its pages call. The owner of the database stands in PGHOST, PGPORT, PGUSER and
# PGPASSWORD, the company in PGDATABASE, and the folder of LedgerSMB in LEDGERSMB. Each line of the input is a deed: words with tabs
# between them. Each answer is a line: "done", or what went wrong.
use strict;
use warnings;

BEGIN {
    chdir $ENV{LEDGERSMB} or die "there is no $ENV{LEDGERSMB}";
    unshift @INC, "$ENV{LEDGERSMB}/lib", "$ENV{LEDGERSMB}/old/lib";
    $ENV{LSMB_CONFIG_FILE} = 'none';
}

use DBI;
use LedgerSMB::App_State;
use LedgerSMB::Database;
use LedgerSMB::Form;
use LedgerSMB::IC;
use LedgerSMB::IS;
use LedgerSMB::OE;

my %reader = ( numberformat => '1000.00', dateformat => 'yyyy-mm-dd', dbdriver => 'Pg' );

sub company {
    my $company = LedgerSMB::Database->new(
        dbname   => $ENV{PGDATABASE},
        username => $ENV{PGUSER},
        password => $ENV{PGPASSWORD},
        source_dir => "$ENV{LEDGERSMB}/sql",
    );
    $company->create_and_load;
    $company->load_coa( { country => 'us', chart => 'General.sql' } );
}

my $dbh;

sub form {
    $dbh ||= DBI->connect( "dbi:Pg:", undef, undef, { AutoCommit => 0, RaiseError => 1, pg_enable_utf8 => 1 } );
    LedgerSMB::App_State::set_DBH($dbh);
    my $form = Form->new;
    %$form = ( %$form, dbh => $dbh, login => 'clerk', @_ );
    return $form;
}

sub part {
    my ( $number, $name, $price, $count ) = @_;
    my $form = form(
        item => 'part', partnumber => $number, description => $name, unit => 'ea', sellprice => $price, lastcost => 1, listprice => $price,
        IC_inventory => '1510--', IC_income => '4010--', IC_expense => '5010--', priceupdate => 'now', taxaccounts => '',
    );
    IC->save( \%reader, $form );
    # The page for counts of the inventory calls these.
    my ($sheet) = $dbh->selectrow_array('select id from inventory_adjust__save_info(current_date, ?)', undef, "count of $number");
    $dbh->do( 'select * from inventory_adjust__save_line(?, ?, ?, 0, ?)', undef, $sheet, $form->{id}, $count, $count );
    $dbh->do( 'select * from inventory_adjust__approve(?)', undef, $sheet );
}

sub service {
    my ($number) = @_;
    my $form = form(
        item => 'service', partnumber => $number, description => lc $number, unit => 'ea', sellprice => 0, lastcost => 0, listprice => 0,
        IC_income => '4010--', IC_expense => '5010--', priceupdate => 'now', taxaccounts => '',
    );
    IC->save( \%reader, $form );
}

# The page of a contact calls these.
sub customer {
    my ($number) = @_;
    form();
    my ($id) = $dbh->selectrow_array(
        "select entity_id from company__save(null, 2, ?, null, null, null, (select id from country where short_name = 'US'), null, null)",
        undef, $number );
    $dbh->do(
        "select eca__save(null, 2, ?, 'Customer', 0, false, 0, 0, 0::smallint, ?, null, 'en', null, 'USD', current_date, null, 0,
          (select account_id from account_link where description = 'AR' limit 1), null, null, null, null)",
        undef, $id, $number );
}

# The open order of the customer's number, as the page shows it: its lines are numbered fields.
sub order {
    my ($reference) = @_;
    form();
    my ($id) = $dbh->selectrow_array( 'select id from oe where ponumber = ? and not closed order by id desc limit 1', undef, $reference );
    die "there is no open order $reference\n" unless $id;
    my $form = form( id => $id, vc => 'customer', type => 'sales_order' );
    OE->retrieve( \%reader, $form );
    my $i = 0;
    for my $line ( @{ $form->{form_details} } ) {
        $i++;
        $form->{"${_}_$i"} = $line->{$_} for keys %$line;
        $form->{"discount_$i"} *= 100;
    }
    $form->{rowcount} = $i;
    return $form;
}

# The page Ship: so many units of each line, or all that are left.
sub ship {
    my ( $reference, $units ) = @_;
    my $form = order($reference);
    for my $i ( 1 .. $form->{rowcount} ) {
        my $left = $form->{"qty_$i"} - $form->{"ship_$i"};
        $form->{"qty_$i"}  = $left;
        $form->{"ship_$i"} = $units eq 'rest' || $units > $left ? $left : $units;
    }
    $form->{type} = 'ship_order';
    $form->{shippingdate} = '2030-01-31';
    OE->save_inventory( \%reader, $form );
}

# The box "closed" of the page of the order.
sub close_order {
    my $form = order(@_);
    $form->{closed} = 1;
    OE->save( \%reader, $form );
}

# The button "Sales Invoice": the order is closed, what was shipped is invoiced, and the rest becomes a further order with the same
# number. Where nothing was shipped, all of it is invoiced.
sub invoice {
    my $form = order(@_);
    my @lines = 1 .. $form->{rowcount};
    my %shipped = map { $_ => $form->{"ship_$_"} } @lines;
    $form->{closed} = 1;
    OE->save( \%reader, $form );
    my $some = grep { $shipped{$_} > 0 } @lines;
    my $rest = grep { $shipped{$_} < $form->{"qty_$_"} } @lines;
    %shipped = map { $_ => $form->{"qty_$_"} } @lines unless $some;
    if ( $some && $rest ) {
        $form->{$_} = '' for qw(id closed);
        $form->{"qty_$_"} -= $shipped{$_} for @lines;
        $form->{"ship_$_"} = 0 for @lines;
        OE->save( \%reader, $form );
    }
    my %invoice = (
        id => '', type => 'invoice', invnumber => '', AR => '1200--', paidaccounts => 0, taxaccounts => '', exchangerate => 1,
        defaultcurrency => 'USD', transdate => 'now', duedate => 'now', crdate => 'now',
    );
    %$form = ( %$form, %invoice, map { ( "qty_$_" => $shipped{$_}, "orderitems_id_$_" => '' ) } @lines );
    IS->post_invoice( \%reader, $form );
}

my %deeds = ( company => \&company, part => \&part, service => \&service, customer => \&customer, ship => \&ship, close => \&close_order, invoice => \&invoice );

$| = 1;
while ( my $line = <STDIN> ) {
    chomp $line;
    my ( $deed, @words ) = split /\t/, $line;
    my $done = eval { $deeds{$deed}->(@words); $dbh->commit if $dbh; 1 };
    my $wrong = $@ =~ s/\s+/ /gr;
    eval { $dbh->rollback } if $dbh && !$done;
    print $done ? "done\n" : "wrong: $wrong\n";
}
